/** Which file and line are open, and of which deployment; stored in the address. */
import { defined, idParam } from '../../../kit/search.ts'
import { readPlace } from '../code-place.ts'

export const readCodeSearch = ({ deployment, ...place }: Record<string, unknown>) => ({
  ...defined({ deployment: idParam(deployment) }),
  ...readPlace(place),
})
