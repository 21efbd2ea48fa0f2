/** Tables whose rows are not copied with a workspace, each with the reason. */
export const EXCLUDED: Readonly<Record<string, string>> = {
  schema_migrations: 'the schema of this database',
  meta: 'facts of the instance',
  leaders: 'which scheduler leads this instance',
  nodes: 'the nodes of this instance',
  clock_jumps: 'jumps of the clock of this database',
  guesses: 'wrong passwords and codes, counted for a quarter of an hour',
  sessions: 'people sign in to each instance',
  two_factors: 'the second factor of an account of this instance',
  recovery_codes: 'the second factor of an account of this instance',
  device_logins: 'logins that are under way, which end within minutes',
  oidc_identities: 'which person of an identity provider has which account of this instance',
  oidc_links: 'links of accounts that are under way',
  oidc_states: 'logins that are under way',
  queue_counts: 'triggers count the jobs again as they are inserted',
  relay_sessions: 'a certificate passes through within minutes and must not be copied',
  relay_material: 'a certificate passes through within minutes and must not be copied',
  function_versions:
    'only nodes of the previous release read it; app_function_versions replaces it',
  unused_sources: 'which source files a sweep of this database may delete',
  held_workspaces: 'imports and moves that are under way',
  workspace_cells: 'which database of this instance has which workspace',
}
