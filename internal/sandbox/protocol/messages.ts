/**
 * What host and guest say to each other: lines of text over the guest's stdin and stdout.
 *
 * Host to guest, one JSON object a line. Input, variables and code are put in by string concatenation: the host never
 * parses what it only passes on.
 *
 * Guest to host, `<marker><kind><run> <payload>\n`. The marker is a control character and a random word that each
 * process is given in its first line, so that frames can be told from whatever user code writes to stdout. The guest hides
 * the word from user code (guest-output.ts). A job that learns it all the same can forge its own result and log, which it
 * decides anyway; it can reach no other job, and what it may ask of the host is bounded (question-desk.ts).
 */

/** Starts each frame of a guest, before the process's random word. No program prints it by chance. */
export const FRAME_MARK = '\u001e'

export const FRAME_KINDS = {
  ready: 'h',
  /** A run was taken; before this frame nothing of it has happened. */
  began: 'b',
  log: 'l',
  /** A piece of the answer, before its end. */
  part: 'p',
  result: 'r',
  error: 'e',
  getState: 'g',
  setState: 's',
  /** Sets a value while it has the version that was read. */
  swapState: 'c',
  deleteState: 'd',
  listState: 'k',
  resumeUrls: 'u',
} as const

export type FrameName = keyof typeof FRAME_KINDS
export type FrameKind = (typeof FRAME_KINDS)[FrameName]

/** Questions that a guest has open at most; more than these the host does not read. */
export const MAX_OPEN_QUESTIONS = 16
/** Between the head of a question and the value that it carries: no JSON text that is made by JSON.stringify holds one. */
export const VALUE_MARK = '\t'

/** What follows the marker. `payload` must not hold a line feed; JSON texts made by JSON.stringify never do. */
export const frameText = (
  kind: FrameKind,
  { run, payload }: Readonly<{ run: number; payload: string }>,
): string => `${kind}${run} ${payload}\n`

export const encodeFrame = (
  word: string,
  kind: FrameKind,
  frame: Readonly<{ run: number; payload: string }>,
): string => `${FRAME_MARK}${word}${frameText(kind, frame)}`

/** Where a guest of bubblewrap finds the host's proxy, and where any runtime finds its guest's own relay to it. */
export const EGRESS_SOCKET = '/run/egress.sock'
export const RELAY_PORT = 3_128

/** With it the host's proxy marks a refusal that stands in the place of an answer. */
export const REFUSED_HEADER = 'x-svc-egress'

/** The first line. */
export type HelloMessage = Readonly<{
  t: 'hello'
  word: string
  /** The host's process id: a guest whose parent is another has outlived it. Null: it cannot see the host. */
  host: number | null
  /** The socket by which alone it reaches the network. Null: it has a network of its own, or none. */
  egress: string | null
}>

/** A message to the guest, as the guest parses it. */
export type HostMessage =
  | HelloMessage
  | Readonly<{ t: 'code'; hash: string; entrypoint: string; code: string }>
  | RunMessage
  | AnswerMessage

export type AnswerMessage = Readonly<{
  t: 'answer'
  run: number
  id: number
  value?: unknown
  /** Of a state value; null: there is none. */
  version?: string | null
  /** Why there is no answer, and how the error is named. */
  error?: string
  name?: string
  code?: string
}>

/** What `ctx.flow` tells; empty where the job belongs to no flow. */
export type FlowContext = Readonly<{ runId?: string; step?: string; resumeValue?: unknown }>

export type RunMessage = Readonly<{
  t: 'run'
  run: number
  hash: string
  resultBytes: number
  logBytes: number
  job: Readonly<{ id: string; app: string; action: string; commit: string; attempt: number }>
  trigger: Readonly<{ kind: string; raw?: string; headers?: Readonly<Record<string, string>> }>
  variables: Readonly<Record<string, string>>
  resources: Readonly<Record<string, unknown>>
  flow: FlowContext
  input: unknown
}>

/** Raw line feeds are white space in JSON, and nothing else. */
const oneLine = (json: string): string => (json.includes('\n') ? json.replaceAll('\n', ' ') : json)

export const helloLine = (hello: Omit<HelloMessage, 't'>): string =>
  `${JSON.stringify({ t: 'hello', ...hello })}\n`

export const codeLine = (
  hash: string,
  { entrypoint, code }: Readonly<{ entrypoint: string; code: string }>,
): string => `${JSON.stringify({ t: 'code', hash, entrypoint, code })}\n`

/** `inputJson` travels as it is. */
export const runLine = (message: Omit<RunMessage, 't' | 'input'>, inputJson: string): string =>
  `{"t":"run","input":${oneLine(inputJson)},${JSON.stringify(message).slice(1)}\n`

/** `valueJson` travels as it is. */
export type AnswerBody =
  | Readonly<{ valueJson: string; version?: string | null }>
  | Pick<AnswerMessage, 'error' | 'name' | 'code'>

export const answerLine = (
  { run, id }: Readonly<{ run: number; id: number }>,
  body: AnswerBody,
): string => {
  if (!('valueJson' in body)) return `${JSON.stringify({ t: 'answer', run, id, ...body })}\n`
  const { valueJson, version } = body
  const head = JSON.stringify({ t: 'answer', run, id, version })
  return `${head.slice(0, -1)},"value":${oneLine(valueJson)}}\n`
}
