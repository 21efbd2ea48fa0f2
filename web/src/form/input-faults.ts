/** The faults that the server found in an input, by path within it. The server's paths begin with `body.`. */
import { ApiError } from '#sdk/client.ts'

export const inputFaults = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError
    ? Object.fromEntries(
        error.details.map(({ path, message }) => [path.replace(/^(body|input)\.?/, ''), message]),
      )
    : {}

/**
 * The fault of a field, or the first one inside of a value that is edited as JSON, with its place.
 * @param inOwnWords translates a fault of the server
 */
export const faultOf = (
  faults: Readonly<Record<string, string>>,
  path: string,
  inOwnWords: (fault: string) => string,
): string | undefined => {
  const own = faults[path]
  if (own !== undefined) return own
  const [inside] = Object.entries(faults).filter(([place]) => place.startsWith(`${path}.`))
  return inside && `${inside[0].slice(path.length + 1)} ${inOwnWords(inside[1])}`
}
