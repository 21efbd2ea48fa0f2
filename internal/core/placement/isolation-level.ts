/** How strongly a sandbox confines code, weakest first (docs/security.md, Levels). */
export const ISOLATION_LEVELS = ['none', 'runtime', 'os', 'vm'] as const
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number]

/** The level as a number, 0 to 3, so that SQL can compare it. */
export const levelRank = (level: IsolationLevel): number => ISOLATION_LEVELS.indexOf(level)

/** Whether a sandbox of `level` may run what requires `minLevel`. */
export const meetsLevel = (level: IsolationLevel, minLevel: IsolationLevel): boolean =>
  levelRank(level) >= levelRank(minLevel)
