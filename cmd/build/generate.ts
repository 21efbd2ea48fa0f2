/** `make generate` and, with `--check`, `make verify`. */
await import('./generate-migrations.ts')
await import('./generate-guest.ts')
await import('./generate-sdk.ts')
await import('./generate-page.ts')
await import('./generate-limits.ts')
await import('./generate-errors-page.ts')
// loads the program, which imports the files generated above
await import('./generate-client.ts')
await import('./generate-api-pages.ts')
await import('./generate-settings.ts')
await import('./generate-manifest-page.ts')
await import('./generate-cli-page.ts')
await import('./generate-sdk-page.ts')
