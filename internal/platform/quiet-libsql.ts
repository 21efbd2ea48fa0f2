import process from 'node:process'

/**
 * An embedded replica writes its troubles to standard output by itself, unless it is told not to before it is loaded;
 * ours are in the log.
 */
export const quietLibsql = (): void => {
  process.env.RUST_LOG ??= 'off'
}
