/** What the server found wrong with an input, by path within it: the server says `body.name`. */
import { ApiError } from '#sdk/client.ts'

export const inputFaults = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError
    ? Object.fromEntries(
        error.details.map(({ path, message }) => [path.replace(/^(body|input)\.?/, ''), message]),
      )
    : {}
