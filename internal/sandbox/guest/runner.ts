/**
 * The program inside the sandbox. It takes runs from stdin, one at a time, and answers each with exactly one
 * result or error frame. It holds no secret except the frame word, and trusts only the host.
 *
 * A job owns what it starts: an async scope follows it through promises and timers. After its result, its timers no
 * longer fire, its log output is dropped and its errors are ignored. Between jobs the process blocks, so nothing of
 * it runs at all. An uncaught error fails the job that it belongs to or, if that is unknown, the running one. Only
 * raw writes to stdout have no known owner: they go to the log of the running job.
 */

import type { HelloMessage, HostMessage, RunMessage } from '../protocol/messages.ts'
import { createGuestBundles, type GuestBundles } from './bundles.ts'
import { describeThrown, stackOf } from './failure.ts'
import { createHostCalls } from './host-calls.ts'
import type { GuestIo } from './io/guest-io.ts'
import { createGuestJob, type GuestJob } from './job.ts'
import { createLineReader, type LineReader } from './line-reader.ts'
import { ownConsole } from './log.ts'
import { createGuestOutput, frameMarker, type GuestOutput, type LogStream } from './output.ts'
import { ownFetch } from './own-fetch.ts'
import { createScriptRunner } from './run-script.ts'
import { ownTimers } from './timers.ts'

const PARENT_CHECK_MS = 1_000

// the host is trusted: its messages have the shape of protocol/messages.ts
const parseMessage: (line: string) => HostMessage = JSON.parse
const { stringify } = JSON
// saved before user code can replace them
const { setInterval } = globalThis

/** Serves runs until stdin ends, then exits. */
export const runGuest = async (io: GuestIo): Promise<never> => {
  try {
    return await serve(io)
  } catch {
    // the host has died and nothing reads the output: open connections must not keep this process alive
    return io.exit(1)
  }
}

type Greeting = Readonly<{ marker: Uint8Array }> &
  Pick<HelloMessage, 'host' | 'egress' | 'loopback' | 'shared'>

/** Reads the first line. Afterwards only the bytes of the marker contain the frame word. */
const readHello = (reader: LineReader): Greeting | null => {
  const line = reader.nextSync()
  reader.forget()
  const hello = line === null ? null : parseMessage(line)
  if (hello?.t !== 'hello') return null
  const { word, host, egress, loopback, shared } = hello
  return { marker: frameMarker(word), host, egress, loopback, shared }
}

const serve = async (io: GuestIo): Promise<never> => {
  const reader = createLineReader(io)
  const first = readHello(reader)
  if (first === null) return io.exit(1)

  const output = createGuestOutput(io, first.marker)
  const bundles = createGuestBundles(io)
  const answerRun = createRunner({ io, reader, output, bundles })
  if (first.egress !== null) io.openRelay(first.egress, first)
  if (first.host !== null) endWithHost(io, first.host)
  output.send(0, 'ready', '')

  for (let line = reader.nextSync(); line !== null; line = reader.nextSync()) {
    const message = parseMessage(line)
    if (message.t === 'code') bundles.add(message)
    else if (message.t === 'run') {
      // the host may have died before the parent-death signal was set
      if (first.host !== null && io.parentId() !== first.host) return io.exit(0)
      await answerRun(message)
    }
  }
  return io.exit(0)
}

/** A killed host cannot notify its guests, and they notice the end of stdin only between jobs. */
const endWithHost = (io: GuestIo, host: number): void => {
  setInterval(() => {
    if (io.parentId() !== host) io.exit(0)
  }, PARENT_CHECK_MS)
}

type Parts = Readonly<{
  io: GuestIo
  reader: LineReader
  output: GuestOutput
  bundles: GuestBundles
}>

/** Puts the guest between user code and the runtime. Returns the function that runs one job until its result. */
const createRunner = ({ io, reader, output, bundles }: Parts) => {
  const scope = io.createScope<GuestJob>()
  let current: GuestJob | undefined

  const owner = (): GuestJob | undefined => scope.get() ?? current
  const fail = (job: GuestJob | undefined, error: unknown): void => {
    if (job?.ended === false) job.fail(error)
  }
  const log = (job: GuestJob | undefined, stream: LogStream, text: string): void =>
    output.log(job, stream, `${bundles.rename(text)}\n`)
  const hostCalls = createHostCalls({
    send: (job, operation, payload) => output.send(job.run, operation, payload),
    nextMessage: async () => {
      const line = await reader.next()
      return line === null ? io.exit(0) : parseMessage(line)
    },
    caller: () => scope.get(),
  })

  ownConsole(io.format, (stream, text) => log(owner(), stream, text))
  io.onStderr((text) => output.log(owner(), 'stderr', bundles.rename(text)))
  ownTimers<GuestJob>({
    owner: () => scope.get(),
    onThrow: (job, error) => fail(job ?? current, error),
  })
  ownFetch(() => scope.get())
  io.onUncaught((error) => fail(owner(), error))

  const script = createScriptRunner({ io, output, hostCalls, log })

  /** Whatever a module starts while it loads belongs to the process, not to the job that caused the load. */
  const loadAndComplete = async (message: RunMessage, job: GuestJob): Promise<void> => {
    const main = await bundles.load(message.hash)
    await scope.run(job, () => script.run(main, message, job))
  }

  return async (message: RunMessage): Promise<void> => {
    // an earlier job read from stdin and consumed a message of the host
    if (!bundles.has(message.hash)) return io.exit(1)
    output.send(message.run, 'began', '')
    io.setTraceparent(message.traceparent)
    const job = createGuestJob(message.run, message.logBytes)
    current = job
    try {
      const suspended = job.suspended.then(() => bundles.renew(message.hash))
      await Promise.race([loadAndComplete(message, job), job.failed, suspended])
    } catch (thrown) {
      job.activity.onIdle = null
      const failure = describeThrown(thrown, io.format)
      const stack = stackOf(thrown, io.format)
      if (stack !== '') log(job, 'stderr', stack)
      await script.end(
        job,
        'error',
        stringify({ ...failure, message: bundles.rename(failure.message) }),
      )
    }
    await hostCalls.released()
    current = undefined
  }
}
