/**
 * The API key for calls from the parser page, because the API accepts no session there [access 2.5]. It is kept only in the
 * memory of this page: a reload loses it, and it is not available to the next person who signs in, or in another workspace.
 */
import { createPageValue } from '../browser/page-value.ts'
import { useWorkspace } from './api.ts'
import { useIdentity } from './session.ts'

type Held = Readonly<{ key: string; owner: string }>

const held = createPageValue<Held>({ key: '', owner: '' })

/** @returns the key, empty if there is none, and a function that sets another */
export const useHeldApiKey = (): readonly [string, (key: string) => void] => {
  const owner = `${useIdentity() ?? ''} ${useWorkspace()}`
  const { key, owner: holder } = held.use()
  return [holder === owner ? key : '', (next) => held.set({ key: next, owner })]
}
