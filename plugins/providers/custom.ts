/**
 * Any program with a command line from the plan. Its output is plain text, one JSON document or JSON lines; what stands
 * there is found in the places that agents commonly use. The task reaches it byte for byte, by stdin or as an argument.
 * A failure gets its kind from a status or error code in JSON, never from words: what it prints may be about anything.
 */
import {
  defineProvider, documentFold, type ErrorFacts, type ExitFacts, failed, type Fold, type Found, linesFold, longestText,
  type OwnCommand, plain, type Reader, type Settled, signLength, type Task, textFold, unfinished, type Verdict,
} from '../../lib/plugin/kit.ts'

const answerFile = 'answer.txt'
const prompt = '{prompt}'

/** The plan's rules refuse a custom worker without a command before anything asks for it. */
function ownOf(task: Task): OwnCommand {
  if (!task.own) throw new Error(`Worker ${task.id} has no command`)
  return task.own
}

/** Fills in one argument in one pass, so that a task which mentions a placeholder stays as it is. */
const filled = (arg: string, task: Task): string => arg.replace(/\{(?:cwd|result|prompt)\}/g, found =>
  found === prompt ? task.prompt : found === '{cwd}' ? task.cwd : `${task.folder}/${answerFile}`)

const folds: Readonly<Record<OwnCommand['outputFormat'], () => Fold>> = { text: textFold, json: documentFold, jsonl: linesFold }

const errorOf = ({ message, kind, resetsAt }: ErrorFacts): Verdict => failed(kind, message, resetsAt ? { resetsAt } : {})

/** The last line of stderr, as words to put after a message. */
function lastLine(stderr: string): string {
  const line = stderr.split('\n').map(each => plain(each, 400)).filter(Boolean).at(-1)
  return line ? `: ${line}` : ''
}

/** No answer, though nothing else explains it. */
function missing(found: Found, exit: ExitFacts): Verdict {
  if (found.error) return errorOf(found.error)
  const said = lastLine(exit.stderrTail)
  const isForeign = found.events === 0 && found.noise > 0
  return isForeign ? failed('invalid_output', `The command printed ${found.noise} lines, none of them JSON${said}`)
    : failed('no_result', `The command ended (exit code ${exit.code}) without an answer${said}`)
}

function verdictOf(found: Found, isText: boolean, exit: ExitFacts): Verdict {
  if (found.error?.final) return errorOf(found.error)
  const isOver = exit.ended === 'self' || exit.ended === 'lingered'
  if (exit.ended === 'self' && typeof exit.code === 'number' && exit.code !== 0) {
    return found.error ? errorOf(found.error)
      : failed('error', `The command ended with exit code ${exit.code}${lastLine(exit.stderrTail)}`)
  }
  const isWhole = isText || (exit.cutLine === undefined && found.brokenBytes === undefined)
  const isProved = Boolean(exit.answer?.trim()) || (found.isFinal && found.text !== '')
  if (isProved || (found.text !== '' && isWhole && isOver && exit.code === 0)) return { ok: true }
  return unfinished(found, exit) ?? missing(found, exit)
}

function warningsOf(found: Found, isText: boolean, verdict: Verdict, exit: ExitFacts): string[] {
  return [
    ...(found.cutFrom === undefined || exit.answer?.trim() ? []
      : [`the answer holds the last ${longestText} of ${found.cutFrom} characters: stdout.log has all of them`]),
    ...(isText && verdict.ok && exit.cutLine !== undefined
      ? [`a line of ${exit.cutLine} bytes is not in the answer: stdout.log has it`] : []),
    ...(found.events > 0 && found.noise > 0 ? [`${found.noise} lines of its output are no JSON`] : []),
    ...(found.error && verdict.ok ? [plain(`it reported an error and went on: ${found.error.message}`, signLength)] : []),
  ]
}

function read(task: Task): Reader {
  const format = ownOf(task).outputFormat
  const fold = folds[format]()
  return {
    line: line => fold.line(line),
    settle(exit): Settled {
      const found = fold.finish()
      const { session, usage, costUsd, costByModel, denials } = found
      const verdict = verdictOf(found, format === 'text', exit)
      const warnings = warningsOf(found, format === 'text', verdict, exit)
      return {
        verdict,
        text: exit.answer?.trim() || found.text,
        ...(session ? { session } : {}), ...(usage ? { usage } : {}), ...(costUsd === undefined ? {} : { costUsd }),
        ...(costByModel ? { costByModel } : {}), ...(denials.length > 0 ? { denials } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
      }
    },
  }
}

export default defineProvider<null>({
  kind: 'provider',
  api: 1,
  id: 'custom',
  summary: 'Any command line, named in the plan',
  aliases: [],
  executable: 'custom',
  can: {
    resume: false, readOnly: 'advisory', model: false, effort: false, costCap: false, tokens: false, cost: false,
    blocksSubagents: false, blocksMcp: false,
    allowCommands: false, ownCommand: true, silent: false, promptVia: 'plan',
    // Linux takes at most 131,071 bytes in one argument.
    maxPrompt: { size: 120_000, unit: 'bytes' },
  },
  stop: [],
  parentEnv: [],
  assumed: null,
  invoke(task) {
    const own = ownOf(task)
    const isPlaced = own.args.some(arg => arg.includes(prompt))
    const isLast = !isPlaced && own.promptTransport === 'argument'
    const promptArgs = own.args.flatMap((arg, index) => arg.includes(prompt) ? [index] : [])
    return {
      file: own.command,
      args: [...own.args.map(arg => filled(arg, task)), ...(isLast ? [task.prompt] : [])],
      promptArgs: isLast ? [own.args.length] : promptArgs,
      stdin: isPlaced || isLast ? '' : task.prompt,
      ...(own.args.some(arg => arg.includes('{result}')) ? { answerFile } : {}),
    }
  },
  read,
})
