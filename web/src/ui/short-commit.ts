/** The characters of a commit that people read, as in the commands (`internal/core/deploy/short-commit.ts`). */
const SHORT = 12

/** Shortens the commit of a deployment: a git hash, or the hash of uploaded files. */
export const shortCommit = (commit: string): string =>
  commit.replace(/^sha256:/, '').slice(0, SHORT)
