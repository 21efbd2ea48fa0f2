import type { Config } from '#config/config.ts'
import { selectProvider } from '#sandbox/providers/select-provider.ts'
import { sandboxChoice } from '../open-sandbox.ts'
import { broken, type CheckResult, fine, reasonOf } from './check.ts'

/** Starts a real sandbox and probes its confinement. */
export const checkSandbox = async (config: Config): Promise<CheckResult> => {
  try {
    const { provider, probe } = await selectProvider(sandboxChoice(config))
    return fine(`level ${probe.level}, by ${provider.name}`, probe.notes)
  } catch (error) {
    return broken(
      reasonOf(error),
      'Set SVC_SANDBOX to a sandbox that works here, or SVC_CACHE_DIR to a folder from which programs may run.',
    )
  }
}
