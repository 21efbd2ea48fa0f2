/** Names of tools [agents 2.1]. An app key has no `_`, so the first one ends it. */

/** Tools that every workspace has. */
export const OWN_TOOLS = ['get_job', 'get_job_logs', 'list_jobs'] as const

export type ToolTarget = Readonly<{ app: string; key: string }>

/** `app_action`. */
export const toToolName = ({ app, key }: ToolTarget): string => `${app}_${key}`

/** @returns null if no action or flow can have that name */
export const parseToolName = (name: string): ToolTarget | null => {
  const at = name.indexOf('_')
  return at < 1 || at === name.length - 1
    ? null
    : { app: name.slice(0, at), key: name.slice(at + 1) }
}
