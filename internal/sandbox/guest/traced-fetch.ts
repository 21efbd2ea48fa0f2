/** `ctx.fetch`: the global fetch, with the trace of the job in each request (W3C Trace Context). */

type Fetch = typeof globalThis.fetch

/** @param traceparent null if the job belongs to no trace; its requests then carry none */
export const tracedFetch =
  (traceparent: string | null): Fetch =>
  async (input, init) => {
    // looked up at each call, because the script may replace the global
    const { fetch } = globalThis
    if (traceparent === null) return await fetch(input, init)
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}))
    if (!headers.has('traceparent')) headers.set('traceparent', traceparent)
    return await fetch(input, { ...init, headers })
  }
