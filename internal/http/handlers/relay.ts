import type { Principal } from '#core/access/principal.ts'
import { AppError } from '#core/error.ts'
import { SECOND_MS } from '#core/time-units.ts'
import { findDatabaseOf } from '#service/cells/find-database.ts'
import type { Deps } from '#service/deps.ts'
import { cancelSession } from '#service/relay/cancel-session.ts'
import { openSession } from '#service/relay/open-session.ts'
import { receiveCertificate } from '#service/relay/receive-certificate.ts'
import { lookAtOwnSession } from '#service/relay/relay-session.ts'
import { resolveCode } from '#service/relay/resolve-code.ts'
import { uploadCertificate } from '#service/relay/upload-certificate.ts'
import type { Database } from '#store/database.ts'
import { identifyByApiKey } from '../admission/admit.ts'
import { created, ok } from '../answer.ts'
import { relayEndpoints } from '../endpoints/relay.ts'
import { handlers } from '../handlers.ts'
import { workspaceOfKey } from '../key-workspace.ts'
import { certificatesPage } from '../pages/certificates-page.ts'
import { languageOf } from '../pages/page-language.ts'
import { toEndReply, toRelayReply } from '../relay/relay-answer.ts'
import { toSessionId } from '../row-id.ts'
import { toTimestamp } from '../schemas/time.ts'

type RelayDeps = Pick<
  Deps,
  'db' | 'home' | 'furtherCells' | 'newId' | 'randomBytes' | 'keyring' | 'hints' | 'limits'
>

/** Relay sessions are in the home cell; the API key that opened one is in the cell of its workspace. */
const findKeyDatabase = async (deps: RelayDeps, { ws }: Principal): Promise<Database> =>
  ws === null || deps.furtherCells().length === 0 ? deps.db : findDatabaseOf(deps, ws)

export const relayRoutes = handlers(relayEndpoints, (deps: RelayDeps) => ({
  createRelaySession: async ({ principal }) => {
    const key = { ws: workspaceOfKey(principal), keyId: principal.credentialId }
    const { certId, code, expiresAt } = await openSession(deps, key)
    return created({ certId, code, expiresAt: toTimestamp(expiresAt) })
  },
  getRelaySession: async ({ params, query, principal, signal, isHead, requestId, header }) => {
    const received = await receiveCertificate(deps, {
      id: toSessionId(params.certId),
      keyId: principal.credentialId,
      waitMs: isHead ? 0 : query.wait_s * SECOND_MS,
      signal,
      mayTake: async () => {
        // the key may have been revoked while the caller waited
        await identifyByApiKey(
          { db: await findKeyDatabase(deps, principal) },
          header('authorization'),
        )
        return !isHead
      },
    })
    return toRelayReply(received, requestId)
  },
  cancelRelaySession: async ({ params, principal, requestId }) => {
    const own = { id: toSessionId(params.certId), keyId: principal.credentialId }
    const end = await cancelSession(deps, own)
    return end === 'cancelled' ? ok({ status: end }) : toEndReply(end, requestId)
  },
  openRelaySocket: async ({ params, principal }) => {
    const id = toSessionId(params.certId)
    await lookAtOwnSession(deps, { id, keyId: principal.credentialId })
    throw new AppError('upgrade_required', 'Connect to this path as a WebSocket.')
  },
  resolveRelayCode: async ({ body: { code }, address }) =>
    ok({ certId: await resolveCode(deps, { code, address }) }),
  uploadCertificate: async ({ params, body }) => {
    await uploadCertificate(deps, toSessionId(params.certId), body)
    return ok({ status: 'uploaded' })
  },
  getCertificatesPage: async (input) => certificatesPage(languageOf(input)),
}))
