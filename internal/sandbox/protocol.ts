/**
 * What the host and a guest process say to each other. The host writes JSON lines to the guest's stdin. The guest writes
 * frames to stdout: a mark, the kind, a body without line feeds, a line feed; whatever stands between frames is the
 * job's own output. The mark holds a nonce, for order and not for security: a job can forge only its own result.
 */

/** R result (JSON) · E error · L log text · S state call · Y ready · F the code could not be loaded */
export const FRAME_KINDS = ['R', 'E', 'L', 'S', 'Y', 'F'] as const
export type FrameKind = (typeof FRAME_KINDS)[number]

const isFrameKind = (text: string): text is FrameKind => FRAME_KINDS.some((kind) => kind === text)

/** Record separator: no text tool prints it. */
export const frameMark = (nonce: string): string => `\u001e${nonce}`

export type HelloMessage = Readonly<{ t: 'hello'; nonce: string }>
export type LoadMessage = Readonly<{ t: 'load'; hash: string; entrypoint: string; code: string }>
export type StateMessage = Readonly<{ t: 'state'; id: number; value?: unknown; error?: string }>

/** The run message's fields but for the input, which is spliced in as the text it came in. */
export type RunFacts = Readonly<{
  hash: string
  job: Readonly<{ id: string; app: string; action: string; commit: string; attempt: number }>
  trigger: Readonly<{ kind: string; raw?: string; headers?: Readonly<Record<string, string>> }>
  variables: Readonly<Record<string, string>>
  resources: Readonly<Record<string, unknown>>
  resultBytes: number
  logBytes: number
}>
export type RunMessage = RunFacts & Readonly<{ t: 'run'; input: unknown }>

export type HostMessage = HelloMessage | LoadMessage | RunMessage | StateMessage

export const encodeMessage = (message: Exclude<HostMessage, RunMessage>): string =>
  `${JSON.stringify(message)}\n`

/** `inputJson` is JSON already; a line feed in it (it came as it was sent) would end the message. */
export const encodeRun = (facts: RunFacts, inputJson: string): string =>
  `{"t":"run",${JSON.stringify(facts).slice(1, -1)},"input":${inputJson.replaceAll(/[\r\n]/g, ' ')}}\n`

export type FrameListener = Readonly<{
  onFrame: (kind: FrameKind, body: string) => void
  /** Output between frames. */
  onOutput: (text: string) => void
  /** A frame grew beyond the limit: the process must go. */
  onOversize: () => void
}>

/**
 * Takes stdout piece by piece. Holds at most one unfinished frame of `maxLength` characters.
 */
export const createFrameParser = (
  nonce: string,
  maxLength: number,
  listener: FrameListener,
): ((text: string) => void) => {
  const mark = frameMark(nonce)
  let pending = ''

  const takeOutput = (until: number): void => {
    if (until > 0) listener.onOutput(pending.slice(0, until))
    pending = pending.slice(until)
  }

  /** The end of `pending` may be the beginning of a mark that is still on its way. */
  const partialMark = (): number => {
    const tail = pending.lastIndexOf('\u001e')
    return tail >= 0 && mark.startsWith(pending.slice(tail)) ? tail : pending.length
  }

  return (text) => {
    pending += text
    for (;;) {
      const at = pending.indexOf(mark)
      if (at < 0) return takeOutput(partialMark())
      takeOutput(at)
      const end = pending.indexOf('\n', mark.length)
      if (end < 0) {
        if (pending.length > maxLength) {
          pending = ''
          listener.onOversize()
        }
        return
      }
      const kind = pending.charAt(mark.length)
      const body = pending.slice(mark.length + 1, end)
      pending = pending.slice(end + 1)
      if (isFrameKind(kind)) listener.onFrame(kind, body)
    }
  }
}
