/** Paths that belong to no workspace and do not begin with /api/. The generator of api.gen.ts holds the list to be whole. */
export const ROOT_PATHS: readonly string[] = ['/healthz', '/metrics']
