/** A yes or no in a query. */
import { z } from './z.ts'

export const flagQuery = z.enum(['true', 'false']).transform((text) => text === 'true')
