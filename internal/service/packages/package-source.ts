/** Where a package comes from. */
export type PackageSource = Readonly<{
  /** Address of the registry; ends with a slash. */
  registry: string
  /** Bearer token of the registry. */
  token: string | null
  /** Whether the operator chose the registry. */
  isTrusted: boolean
  /** Separates cached packages of private registries: the workspace. Empty for the operator's registry. */
  owner: string
}>
