/** Replaces durable steps in functions, which have none. */
import type { DurableRun } from './durable.ts'

const refuse = (): never => {
  throw new Error('Durable steps are for actions. A function starts one by ctx.run().')
}
const refuseLater = async (): Promise<never> => refuse()

/** Refuses every call. */
export const NO_DURABLE: DurableRun = {
  close: () => undefined,
  saveDraws: () => null,
  calls: {
    step: refuseLater,
    sleep: refuseLater,
    waitForEvent: refuseLater,
    call: refuseLater,
    callFlow: refuseLater,
    now: refuse,
    random: refuse,
    uuid: refuse,
  },
}
