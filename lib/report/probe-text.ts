/** What `probe` prints: a line for each provider. */
import type { Probed, ProbedProvider } from '../run/probe.ts'

const login = ({ loggedIn }: ProbedProvider): string => loggedIn === undefined ? 'login unknown' : loggedIn ? 'logged in' : 'not logged in'

export const probeText = ({ providers, problems }: Probed): string => [
  ...providers.flatMap(probed => [
    `${probed.provider.padEnd(9)} ${probed.installed ? `${(probed.version ?? 'version unknown').padEnd(12)} ${login(probed)}, ${probed.executable}` : 'not installed'}`,
    ...probed.notes?.map(note => `          ${note}`) ?? [],
  ]),
  ...problems.map(problem => `warning: ${problem}`),
].join('\n')
