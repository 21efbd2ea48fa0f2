/** A token that ends while its push arrives deploys nothing [wire 1.6]. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#store/sql.ts'
import { oneActionApp } from '../support/app-files.ts'
import { openRepositoryFolder } from '../support/git-repository.ts'
import { openPushServer, type PushServer, runGit } from '../support/push-server.ts'

const repositories = openRepositoryFolder()
let server: PushServer
beforeAll(async () => {
  server = await openPushServer(1_048_576, {
    onAdmitted: async ({ service, isAdvertisement }) => {
      if (service === 'git-upload-pack' || isAdvertisement) return
      await server.app.deps.db.write([sql`UPDATE tokens SET revoked_at = 1`])
    },
  })
})
afterAll(async () => {
  await server.close()
  repositories.remove()
})

test('a token that is revoked while the pack arrives deploys nothing', async () => {
  const repository = repositories.create('late')
  repository.commit(oneActionApp('late'))
  const ended = await runGit(repository.path, 'push', server.remote('late'), 'main')
  expect(ended.text).toContain('remote: Refused: This token was revoked.')
  expect(ended.code).toBe(1)
  expect(await server.commitOf('late')).toBeUndefined()
})
