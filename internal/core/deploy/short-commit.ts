/** The characters of a commit that people read. The console shortens commits alike (`web/src/ui/short-commit.ts`). */
const SHORT = 12

/** Shortens the commit of a deployment, a git hash or `sha256:<hex>` of uploaded files, for a table or a sentence. */
export const shortCommit = (commit: string): string =>
  commit.replace(/^sha256:/, '').slice(0, SHORT)
