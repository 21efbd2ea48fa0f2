/**
 * The messages between host and guest: lines of text over the guest's stdin and stdout.
 *
 * Host to guest: one JSON object per line. Input, variables and code are inserted by
 * string concatenation, because the host never parses what it only passes on.
 *
 * Guest to host: `<marker><kind><run> <payload>\n`. The marker is a control character and a random word that each process
 * receives in its first line, so that frames differ from everything that user code writes to stdout. The guest hides the
 * word from user code (guest/output.ts). A job that learns it can forge only its own result and log, which it decides
 * anyway. It can reach no other job, and its calls to the host are limited (host/guest-rpc.ts).
 */

/** Begins each frame of a guest, before the random word of its process. Programs rarely print this character. */
export const FRAME_MARK = '\u001e'

export const FRAME_KINDS = {
  ready: 'h',
  /** The guest has accepted a run. No code of the job has run before this frame. */
  began: 'b',
  /** Text of `ctx.log` and of svc itself. */
  log: 'l',
  /** Text of the console's log, info, debug and dir. */
  stdout: 't',
  /** Text of the console's warn, error and trace, and of errors that end the job. */
  stderr: 'v',
  /** A part of the response that is sent before the end. */
  part: 'p',
  result: 'r',
  error: 'e',
  getState: 'g',
  setState: 's',
  /** Sets a value if it still has the version that was read. */
  swapState: 'c',
  deleteState: 'd',
  listState: 'k',
  resumeUrls: 'u',
  /** Starts a job or a flow run. */
  start: 'w',
  /** Cancels a job or a flow run. */
  cancel: 'y',
  /** Records how the function of a durable step ended. */
  recordStep: 'a',
  /** Records drawn values before the function of a step may use them. */
  recordHistory: 'm',
  /** Records that a sleep, a wait or a called job begins. */
  beginStep: 'n',
  /** Reads recorded steps that follow those sent with the run. */
  readSteps: 'j',
  /** The result of an attempt that waits for durable steps and cannot go on. */
  suspend: 'q',
  /** Requests a message when the job is canceled. */
  watchCancel: 'x',
  progress: 'o',
} as const

export type FrameName = keyof typeof FRAME_KINDS
export type FrameKind = (typeof FRAME_KINDS)[FrameName]

/** The maximum number of open calls of a guest. Beyond it, the host stops reading. */
export const MAX_OPEN_CALLS = 16
/** Separates the head of a call from its value. JSON texts made by JSON.stringify contain no tab. */
export const VALUE_MARK = '\t'

/** The part after the marker. `payload` must not contain a line feed; JSON texts made by JSON.stringify never do. */
export const frameText = (
  kind: FrameKind,
  { run, payload }: Readonly<{ run: number; payload: string }>,
): string => `${kind}${run} ${payload}\n`

/** The path at which a guest of bubblewrap finds the egress proxy. */
export const EGRESS_SOCKET = '/run/egress.sock'
/** The address of a guest's own relay to it. It is unusual, because servers of the job may listen on the same loopback. */
export const RELAY = { hostname: '127.83.118.99', port: 61_283 } as const

/** The egress proxy marks its own refusals with this header. */
export const REFUSED_HEADER = 'x-svc-egress'

/** The first message to a guest. */
export type HelloMessage = Readonly<{
  t: 'hello'
  word: string
  /** The process id of the host; a guest with another parent has outlived its host. Null if the guest cannot see the host. */
  host: number | null
  /** The socket that is the guest's only way to the network. Null if it has its own network, or none. */
  egress: string | null
  /** Destinations on its own loopback that go through that socket, because its action's `network` lists them. */
  loopback: readonly NetworkEntry[]
  /**
   * Destinations of fetch that go through that socket, in a guest that shares the network of the host.
   * Null if the guest has its own network, which it can leave only through that socket.
   */
  shared: readonly NetworkEntry[] | null
}>

/** An entry of an action's `network`. A host may begin with `*.`; a null port matches any port. */
export type NetworkEntry = Readonly<{ host: string; port: number | null }>

/** A message to the guest, as the guest parses it. */
export type HostMessage =
  | HelloMessage
  | Readonly<{ t: 'code'; hash: string; entrypoint: string; code: string }>
  | RunMessage
  | AnswerMessage
  | CancelMessage

/** Ends the watch of `watchCancel`: the job is canceled, or has ended. */
export type CancelMessage = Readonly<{ t: 'cancel'; run: number; canceled: boolean }>

export type AnswerMessage = Readonly<{
  t: 'answer'
  run: number
  id: number
  value?: unknown
  /** The version of a state value; null if there is no value. */
  version?: string | null
  /** Message, name and code of the error that is sent instead of the value. */
  error?: string
  name?: string
  code?: string
  details?: readonly ErrorDetail[]
}>

/** One fault of an input, and its place. */
export type ErrorDetail = Readonly<{ path: string; message: string }>

/** The content of `ctx.flow`; empty if the job belongs to no flow. */
export type FlowContext = Readonly<{ runId?: string; step?: string; resumeValue?: unknown }>

/** What `ctx.trigger` has besides the kind. */
export type TriggerFacts = Readonly<{
  /** A webhook has the next three. */
  raw?: string
  encoding?: 'utf8' | 'base64'
  headers?: Readonly<Record<string, string>>
  event?: Readonly<{ id: string; name: string; key: string | null }>
  /** When a schedule was due, RFC 3339. */
  fireTime?: string
}>

export type RunMessage = Readonly<{
  t: 'run'
  run: number
  hash: string
  resultBytes: number
  logBytes: number
  job: Readonly<{ id: string; app: string; action: string; commit: string; attempt: number }>
  trigger: Readonly<{ kind: string }> & TriggerFacts
  variables: Readonly<Record<string, string>>
  resources: Readonly<Record<string, unknown>>
  flow: FlowContext
  /** The trace of the run, in the format of the traceparent header; null if there is none. */
  traceparent: string | null
  /** The journal of the job (sandbox/durable-access.ts); null if it has no durable steps. */
  durable: unknown
  input: unknown
}>

/** Raw line feeds in JSON are always white space, so they can become spaces. */
const oneLine = (json: string): string => (json.includes('\n') ? json.replaceAll('\n', ' ') : json)

/** Encodes the first line to a guest. */
export const helloLine = (hello: Omit<HelloMessage, 't'>): string =>
  `${JSON.stringify({ t: 'hello', ...hello })}\n`

/** Encodes the line that starts a run. The input and the journal are sent unparsed. */
export const runLine = (
  message: Omit<RunMessage, 't' | 'input' | 'durable'>,
  { inputJson, durableJson }: Readonly<{ inputJson: string; durableJson: string }>,
): string =>
  `{"t":"run","input":${oneLine(inputJson)},"durable":${durableJson},${JSON.stringify(message).slice(1)}\n`

/** `valueJson` is sent unparsed. */
export type AnswerBody =
  | Readonly<{ valueJson: string; version?: string | null }>
  | Pick<AnswerMessage, 'error' | 'name' | 'code' | 'details'>

/** Encodes the line that ends a watch. */
export const cancelLine = (run: number, canceled: boolean): string =>
  `${JSON.stringify({ t: 'cancel', run, canceled })}\n`

/** Encodes the response to a call of a guest. */
export const answerLine = (
  { run, id }: Readonly<{ run: number; id: number }>,
  body: AnswerBody,
): string => {
  if (!('valueJson' in body)) return `${JSON.stringify({ t: 'answer', run, id, ...body })}\n`
  const { valueJson, version } = body
  const head = JSON.stringify({ t: 'answer', run, id, version })
  return `${head.slice(0, -1)},"value":${oneLine(valueJson)}}\n`
}
