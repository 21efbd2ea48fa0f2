/** The entries about apps in the audit log of a workspace. */
import { z } from 'zod'
import type { TestApp } from './create-test-app.ts'
import type { Tenant } from './tenant.ts'

const auditPage = z.looseObject({
  items: z.array(z.looseObject({ action: z.string(), target: z.string() })),
})

/** Entries about host names as `<action> <target>`, newest first. */
export const listAudit = async (
  app: TestApp,
  { ws, token }: Tenant,
): Promise<readonly string[]> => {
  const { json } = await app.call('GET', `/api/w/${ws}/audit?limit=100`, { token })
  return auditPage
    .parse(json)
    .items.map(({ action, target }) => `${action} ${target}`)
    .filter((entry) => entry.startsWith('app.host'))
}
