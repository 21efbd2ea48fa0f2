/**
 * Keeps guest processes warm and runs jobs in them.
 *
 * A process that ran code of one (workspace, app, commit) never runs code of another. It runs one job
 * at a time, and is not reused after a failure that came from outside the script. Processes are started
 * ahead without any data, so that the first job of a key does not wait for a start. The worker decides
 * how many jobs run at once; the pool limits only the idle processes.
 *
 * Failures are outcomes: nothing that a guest does rejects. Only `loadCode` and the start of a process on a machine that lacks what
 * it needs may reject, and then nothing has run.
 */

import { refuseIfShort } from '#core/machine-shortage.ts'
import type { Provider } from '../providers/provider.ts'
import type { Sandbox, SandboxCallbacks, SandboxOutcome, SandboxRun } from '../sandbox.ts'
import { encodeCode } from './code-line.ts'
import { NO_DEADLINES } from './deadlines.ts'
import { notStarted } from './failures.ts'
import { sweepGuestFolders } from './folder.ts'
import type { Member } from './pool-member.ts'
import { createPoolMembers, type PoolOptions } from './pool-members.ts'
import { type GuestRun, type NotBegun, runOnGuest } from './run.ts'
import { createStackTraceMapper } from './stack-trace.ts'
import { createUsageWatch } from './usage.ts'

type Bundle = Pick<GuestRun, 'codeLine' | 'mapStackTrace'>

const bundleFor = async (member: Member, run: SandboxRun): Promise<Bundle> => {
  const known = member.bundles.get(run.bundleHash)
  if (known !== undefined) return { codeLine: null, mapStackTrace: known.mapStackTrace }
  const { code, sourceMap } = await run.loadCode()
  const mapStackTrace = createStackTraceMapper(sourceMap)
  member.bundles.set(run.bundleHash, { mapStackTrace, codeLength: code.length })
  return { codeLine: await encodeCode(run, code), mapStackTrace }
}

type Call = Readonly<{ request: SandboxRun; callbacks: SandboxCallbacks; signal: AbortSignal }>

/** Opens a pool of guests. Close it to kill all of its processes. */
export const createSandboxPool = (provider: Provider, options: PoolOptions): Sandbox => {
  sweepGuestFolders()
  const usage = createUsageWatch()
  const { deadlines = NO_DEADLINES } = options
  const members = createPoolMembers(provider, options)
  let isClosed = false

  const runOn = async (
    pick: (run: SandboxRun) => Member,
    { request, ...call }: Call,
  ): Promise<SandboxOutcome | NotBegun> => {
    let member: Member
    try {
      member = pick(request)
    } catch (error) {
      refuseIfShort(error)
      return notStarted(error)
    }
    try {
      const bundle = await bundleFor(member, request)
      const { guest, jobs } = member
      const number = jobs + 1
      const watches = { usage, deadlines }
      const outcome = await runOnGuest({
        guest,
        number,
        run: request,
        ...watches,
        ...call,
        ...bundle,
      })
      if (outcome.kind === 'not-begun') members.stop(member)
      else members.giveBack(member, request, outcome)
      return outcome
    } catch (error) {
      members.stop(member)
      throw error
    }
  }

  /** A waiting process may have died or become unresponsive. The job is not to blame, so it gets a new process. */
  const run = async (call: Call): Promise<SandboxOutcome> => {
    if (call.signal.aborted || isClosed) return { kind: 'aborted' }
    const first = await runOn(members.take, call)
    if (first.kind !== 'not-begun') return first
    if (isClosed) return { kind: 'aborted' }
    const second = await runOn(members.start, call)
    if (second.kind !== 'not-begun') return second
    refuseIfShort(second.startError)
    return second.failure
  }

  return {
    name: provider.name,
    level: provider.level,
    ...(provider.traffic === undefined ? {} : { traffic: provider.traffic }),
    run: (request, callbacks, signal) => run({ request, callbacks, signal }),
    close: async () => {
      isClosed = true
      await members.close()
      deadlines.stop()
    },
  }
}
