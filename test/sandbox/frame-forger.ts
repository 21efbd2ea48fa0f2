/**
 * Jobs that write frames themselves, as a job that learned the frame word could. The guest hides the word, so these jobs
 * run in a guest program that reveals it. What a forger can do must not depend on the word alone.
 */
import { DENO_GUEST_SOURCE } from '#sandbox/guest/compiled.gen.ts'
import { writeGuest } from '#sandbox/linux/runtime-file.ts'
import type { Provider } from '#sandbox/providers/provider.ts'
import { main, runtimeFolder } from './job.ts'

/** Runs before the guest saves JSON.parse. */
const TELL_WORD = `{
  const { parse } = JSON
  JSON.parse = (text, reviver) => {
    const value = parse(text, reviver)
    if (value?.t === 'hello') globalThis.frameWord = value.word
    return value
  }
}
`

/** The same guests, but they reveal their frame word to user code. */
export const tellingWord = (provider: Provider): Provider => {
  const guest = writeGuest(runtimeFolder(), DENO_GUEST_SOURCE)
  const telling = writeGuest(runtimeFolder(), TELL_WORD + DENO_GUEST_SOURCE)
  return {
    ...provider,
    commandFor: (shape) => (folder) => {
      const command = provider.commandFor(shape)(folder)
      return { ...command, args: command.args.map((arg) => (arg === guest ? telling : arg)) }
    },
  }
}

const FORGE = `
  const word = globalThis.frameWord
  if (word === undefined) throw new Error('This guest does not tell its frame word.')
  const { stdout } = Deno
  const encoder = new TextEncoder()
  const writeBytes = (bytes) => { for (let at = 0; at < bytes.length; ) at += stdout.writeSync(bytes.subarray(at)) }
  const write = (text) => writeBytes(encoder.encode(text))
  const textOf = (kind, run, payload) => "\\u001e" + word + kind + run + " " + payload + "\\n"
  const frame = (kind, run, payload) => write(textOf(kind, run, payload))
  const forever = new Promise(() => {})
`

/**
 * An action that has `frame(kind, run, payload)`, `textOf` with the same
 * arguments, `write(text)`, `writeBytes(bytes)` and `forever`.
 */
export const forger = (body: string): string => main(`${FORGE} ${body}`)
