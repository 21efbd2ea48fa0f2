import process from 'node:process'

/**
 * Silences libsql: unless RUST_LOG is set before it is loaded, an embedded replica prints
 * errors to standard output. Our log has the same errors.
 */
export const quietLibsql = (): void => {
  process.env.RUST_LOG ??= 'off'
}
