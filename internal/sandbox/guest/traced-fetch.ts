/** `ctx.fetch`: the global fetch, whose requests name the trace of the job (W3C Trace Context). */

type Fetch = typeof globalThis.fetch

/** @param traceparent null: the job belongs to no trace, and the requests name none */
export const tracedFetch =
  (traceparent: string | null): Fetch =>
  async (input, init) => {
    // found at each call, as the script's own fetch is
    const { fetch } = globalThis
    if (traceparent === null) return await fetch(input, init)
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}))
    if (!headers.has('traceparent')) headers.set('traceparent', traceparent)
    return await fetch(input, { ...init, headers })
  }
