import { policyPath } from '../../../lib/model/policy-place.ts'
import { assert, suite } from '../../kit/check.ts'

suite('model/policy-place', test => {
  const place = { home: '/home/u', cwd: '/here', platform: 'linux' as const }
  const windows = { home: 'C:\\Users\\u', cwd: 'C:\\here', platform: 'win32' as const }
  const cases: [string, string, string][] = [
    ['is in ~/.config', policyPath({ ...place, env: {} }), '/home/u/.config/alethe/orchestrate.json'],
    ['follows XDG_CONFIG_HOME', policyPath({ ...place, env: { XDG_CONFIG_HOME: '/cfg' } }), '/cfg/alethe/orchestrate.json'],
    ['takes an empty XDG_CONFIG_HOME as none', policyPath({ ...place, env: { XDG_CONFIG_HOME: '' } }),
      '/home/u/.config/alethe/orchestrate.json'],
    ['follows the variable first',
      policyPath({ ...place, env: { ALETHE_ORCHESTRATE_POLICY: '/p.json', XDG_CONFIG_HOME: '/cfg' } }), '/p.json'],
    ['takes a relative variable from here', policyPath({ ...place, env: { ALETHE_ORCHESTRATE_POLICY: 'a/p.json' } }),
      '/here/a/p.json'],
    ['knows the home folder in the variable', policyPath({ ...place, env: { ALETHE_ORCHESTRATE_POLICY: '~/p.json' } }),
      '/home/u/p.json'],
    ['is in APPDATA on Windows', policyPath({ ...windows, env: { APPDATA: 'D:\\data' } }),
      'D:\\data\\Alethe\\alethe-orchestrate.json'],
    ['has a place on Windows without APPDATA', policyPath({ ...windows, env: {} }),
      'C:\\Users\\u\\AppData\\Roaming\\Alethe\\alethe-orchestrate.json'],
    ['follows the variable on Windows', policyPath({ ...windows, env: { ALETHE_ORCHESTRATE_POLICY: 'p.json' } }),
      'C:\\here\\p.json'],
  ]
  for (const [title, actual, expected] of cases) test(`policyPath() ${title}`, () => { assert.is(actual, expected) })
})
