import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, suite } from '../../kit/check.ts'
import { makeRepo, withEnv, writeFiles } from '../../kit/repo.ts'
import { applied, contentOf, makeWork } from '../../kit/wave-tree.ts'

const binary = (seed: number): Buffer => Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * seed) % 256))

/** Each of these alone spoils a plain `git diff`, `git apply` or `git status`. PROGRAM prints something else than a diff. */
const spoiling: Readonly<Record<string, string>> = {
  'diff.external': 'PROGRAM', 'diff.noprefix': 'true', 'diff.mnemonicPrefix': 'true', 'color.diff': 'always',
  'diff.b.textconv': 'PROGRAM', 'diff.b.command': 'PROGRAM',
  'diff.b.binary': 'false', 'diff.relative': 'true', 'apply.whitespace': 'error', 'core.autocrlf': 'input',
  'core.quotePath': 'true', 'core.fsmonitor': 'PROGRAM',
  'status.showUntrackedFiles': 'no', 'core.splitIndex': 'true',
}
/** These are set together. */
const changing: Readonly<Record<string, string>> = {
  'diff.srcPrefix': 'x/', 'diff.dstPrefix': 'y/', 'color.ui': 'always', 'color.status': 'always', 'diff.context': '0',
  'diff.interHunkContext': '50', 'diff.renames': 'copies',
  'diff.renameLimit': '1', 'diff.submodule': 'log', 'diff.orderFile': 'ORDER', 'diff.algorithm': 'patience',
  'diff.suppressBlankEmpty': 'true', 'diff.wsErrorHighlight': 'all',
  'diff.ignoreSubmodules': 'all', 'diff.indentHeuristic': 'false', 'apply.ignoreWhitespace': 'change',
  'core.whitespace': 'trailing-space,tab-in-indent,cr-at-eol',
  'core.safecrlf': 'true', 'core.untrackedCache': 'true', 'core.pager': 'PROGRAM', 'core.trustctime': 'false',
  'core.checkStat': 'minimal', 'index.version': '4', 'status.short': 'true',
  'status.branch': 'true', 'status.relativePaths': 'false', 'status.renames': 'copies', 'status.submoduleSummary': 'true',
  'log.showSignature': 'true', 'log.decorate': 'full',
  'format.pretty': 'fuller', 'submodule.recurse': 'true', 'add.ignoreErrors': 'true', 'pager.status': 'PROGRAM',
  'worktree.guessRemote': 'true', 'i18n.logOutputEncoding': 'ISO-8859-1',
}

type Named = Readonly<Record<string, string>>

async function proves(settings: Named, variables: Named = {}): Promise<void> {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
  await using repo = await makeRepo({
    '.gitattributes': '*.bin diff=b\n', 'data.bin': binary(3), 'sub/data2.bin': binary(5), 'text.txt': `${lines.join('\n')}\n`,
    'sub/move.txt': `${lines.join('\n')}\n`, 'seeded é.txt': 'a\n',
  })
  const program = join(repo.outside, 'program')
  writeFileSync(program, '#!/bin/sh\necho something else\n')
  chmodSync(program, 0o755)
  writeFileSync(join(repo.outside, 'order'), 'z*\n')
  const filled = (given: Named): [string, string][] => Object.entries(given)
    .map(([name, value]) => [name, value.replace('PROGRAM', program).replace('ORDER', join(repo.outside, 'order'))])
  for (const setting of filled(settings)) repo.git('config', ...setting)
  repo.write({ 'text.txt': `${lines.join('\n').replace('line 3', 'line 3   ')}\n\ttrailing \n \n` })
  repo.write({ 'data.bin': binary(7), 'seeded é.txt': 'b\n' })
  await withEnv(Object.fromEntries(filled(variables)), async () => {
    const work = await makeWork(repo, ['text.txt', 'data.bin', 'seeded é.txt'], join(repo.path, 'sub'))
    assert.equal(contentOf(work.path), contentOf(repo.path), 'the seeds arrived')
    writeFiles(work.path, {
      'text.txt': `${lines.join('\n').replace('line 3', 'changed').replace('line 20', 'space at the end ')}\n`,
      'data.bin': binary(11), 'sub/data2.bin': binary(13),
      'sub/moved é.txt': `${lines.join('\n')}\nmore\n`, 'sub/move.txt': null, 'new.bin': binary(17), 'new file.txt': 'x\n\n \n',
    })
    work.git('commit', '-q', '-am', 'some of it', '--no-gpg-sign')
    const report = await work.capture()
    assert.is(report.error, null)
    assert.equal(report.commits.map(commit => commit.subject), ['some of it'])
    assert.is(report.files.length, 6)
    assert.equal(applied(repo, work.baseTree, report.patch), contentOf(work.path), 'the patch gives the same bytes')
  })
}

suite('captureDiff under settings of the user', test => {
  for (const [name, value] of Object.entries(spoiling)) {
    test(`captureDiff() and seeds do not care for ${name} = ${value}`, () => proves({ [name]: value }))
  }

  test('captureDiff() and seeds do not care for many other settings', () => proves(changing))

  test('captureDiff() and seeds do not care for variables of the caller', () => proves({}, {
    GIT_EXTERNAL_DIFF: 'PROGRAM', GIT_DIFF_OPTS: '-u0', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'diff.noprefix',
    GIT_CONFIG_VALUE_0: 'true', GIT_CONFIG_PARAMETERS: `'diff.relative=true'`,
  }))

  test('captureDiff() gives the same bytes in a checkout that converts line ends', async () => {
    await using repo = await makeRepo({ 'a.txt': 'one\ntwo\n', 'b.bin': binary(3) })
    repo.git('config', 'core.autocrlf', 'true')
    repo.git('config', 'core.safecrlf', 'true')
    repo.write({ 'a.txt': 'ONE\r\ntwo\r\n', 'new.txt': 'n\r\n' })
    const work = await makeWork(repo, ['.'])
    assert.equal(contentOf(work.path), contentOf(repo.path))
    writeFiles(work.path, { 'a.txt': 'ONE\r\ntwo\r\nthree\r\n', 'b.bin': Buffer.from('\r\n\0\n\r') })
    const report = await work.capture()
    assert.is(report.error, null)
    assert.equal(report.files.map(file => file.path), ['a.txt', 'b.bin'])
    assert.equal(applied(repo, work.baseTree, report.patch, ['core.autocrlf=true']), contentOf(work.path))
  })

  test('captureDiff() lays files that were committed otherwise than their attributes want at nobody\'s door', async () => {
    await using repo = await makeRepo(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.txt`, 'one\r\ntwo\r\n'])))
    repo.write({ '.gitattributes': '*.txt text\n' })
    repo.git('add', '.gitattributes')
    repo.git('commit', '-q', '-m', 'attributes')
    for (let time = 0; time < 3; time++) assert.equal((await (await makeWork(repo)).capture()).files, [])
  })

  test('captureDiff() carries a binary file that attributes call text', async () => {
    await using repo = await makeRepo({ '.gitattributes': '*.bin diff -text\n', 'a.bin': binary(3) })
    const work = await makeWork(repo)
    writeFiles(work.path, { 'a.bin': binary(9), 'b.bin': Buffer.from([0, 10, 13, 10, 255, 0]) })
    const report = await work.capture()
    assert.equal(applied(repo, work.baseTree, report.patch), contentOf(work.path))
  })
}, 30_000)
