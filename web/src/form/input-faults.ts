/** The faults that the server found in an input, by path within it. The server's paths begin with `body.`. */
import { ApiError } from '#sdk/client.ts'

export const inputFaults = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError
    ? Object.fromEntries(
        error.details.map(({ path, message }) => [path.replace(/^(body|input)\.?/, ''), message]),
      )
    : {}
