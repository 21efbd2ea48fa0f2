import type { ActionContext } from '@svc/sdk'

export type Decision = 'paid' | 'canceled'
export type State = Pick<ActionContext['state'], 'update'>

/** The first decision about an order stays: `update` compares and sets, so two at once get the same answer. */
export const decide = async (state: State, order: string, wanted: Decision): Promise<Decision> =>
  (await state.update(`order/${order}`, (old) => old ?? wanted)) === 'paid' ? 'paid' : 'canceled'
