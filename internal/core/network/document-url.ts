/** URLs of documents that a caller names and svc fetches. */
import { limit } from '../limit.ts'

export const MAX_URL_LENGTH = limit('document.url', 2_048, 'characters', 'URL of a document.')
