/** Which file and line are open, and of which deployment; stored in the address. */
import { defined } from '../../../kit/search.ts'
import { readPlace } from '../code-place.ts'

const ID = /^[0-9a-f-]{36}$/

const idOf = (given: unknown): string | undefined =>
  typeof given === 'string' && ID.test(given) ? given : undefined

export const readCodeSearch = ({ deployment, ...place }: Record<string, unknown>) => ({
  ...defined({ deployment: idOf(deployment) }),
  ...readPlace(place),
})
