/**
 * Keeps guest processes warm and runs jobs in them.
 *
 * It guarantees: a process that ran code of one (workspace, app, commit) never runs code of another; it runs one job at
 * a time; after a failure that came from outside the script it is not used again. Processes are started ahead without
 * anybody's data, so that the first job of a key waits for no start. How many jobs run at once is the worker's choice;
 * the pool bounds only what is idle.
 *
 * It fails by outcomes: what a guest does never rejects. Only `loadCode` may, and then nothing was run.
 */
import { sweepGuestFolders } from './guest-folder.ts'
import type { Member } from './pool-member.ts'
import { createPoolMembers, type PoolOptions } from './pool-members.ts'
import type { Provider } from './process-shape.ts'
import type { Sandbox, SandboxOutcome, SandboxRun } from './provider.ts'
import { runOnGuest } from './run-on-guest.ts'
import { createStackTraceMapper, type StackTraceMapper } from './stack-trace.ts'
import { createUsageWatch } from './usage-watch.ts'

type Bundle = Readonly<{ code: string | null; mapStackTrace: StackTraceMapper }>

/** The code to send, null when the process has it. */
const bundleFor = async (member: Member, run: SandboxRun): Promise<Bundle> => {
  const known = member.bundles.get(run.bundleHash)
  if (known !== undefined) return { code: null, mapStackTrace: known }
  const { code, sourceMap } = await run.loadCode()
  const mapStackTrace = createStackTraceMapper(sourceMap)
  member.bundles.set(run.bundleHash, mapStackTrace)
  return { code, mapStackTrace }
}

const couldNotStart = (error: unknown): SandboxOutcome => {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'failure', error: { name: 'SandboxCrashed', message } }
}

export const createSandboxPool = (provider: Provider, options: PoolOptions): Sandbox => {
  sweepGuestFolders()
  const usage = createUsageWatch()
  const members = createPoolMembers(provider, options)
  let isClosed = false

  const run: Sandbox['run'] = async (request, callbacks, signal) => {
    if (signal.aborted || isClosed) return { kind: 'aborted' }
    let member: Member
    try {
      member = members.take(request)
    } catch (error) {
      return couldNotStart(error)
    }
    try {
      const bundle = await bundleFor(member, request)
      const { guest, jobs } = member
      const number = jobs + 1
      const outcome = await runOnGuest({
        guest,
        number,
        run: request,
        callbacks,
        signal,
        usage,
        ...bundle,
      })
      members.giveBack(member, request, outcome)
      return outcome
    } catch (error) {
      members.stop(member)
      throw error
    }
  }

  return {
    name: provider.name,
    level: provider.level,
    run,
    close: () => {
      isClosed = true
      return members.close()
    },
  }
}
