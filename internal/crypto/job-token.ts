/**
 * Job tokens [access 14.1]: stateless, HMAC-SHA256 over the attempt that they stand for. The key comes
 * from the instance key, so every node of a database mints and reads the same; a rotation ends all of them.
 * Whether the attempt still runs, the database says (service/job-token.ts).
 */
import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'

export const JOB_TOKEN_KEY_PURPOSE = 'svc job token'

export type JobTokenClaims = Readonly<{ job: string; ws: string; app: string; attempt: number }>

const ALGORITHM = 'HS256'
const TYPE = 'svc-job+jwt'
const ISSUER = 'svc'
/** What it opens, and nothing else. */
const AUDIENCE = 'svc:state'

const claims = z.object({
  job: z.uuid(),
  ws: z.string().min(1),
  app: z.string().min(1),
  attempt: z.int().min(1),
})

export type Lifetime = Readonly<{ from: Date; until: Date }>

export const signJobToken = (
  key: Uint8Array,
  { job, ws, app, attempt }: JobTokenClaims,
  { from, until }: Lifetime,
): Promise<string> =>
  new SignJWT({ job, ws, app, attempt })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(from)
    .setExpirationTime(until)
    .sign(key)

/** Null: not signed by this key, for something else, or past its time. */
export const verifyJobToken = async (
  key: Uint8Array,
  text: string,
  now: Date,
): Promise<JobTokenClaims | null> => {
  try {
    const { payload } = await jwtVerify(text, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['exp'],
      currentDate: now,
    })
    return claims.safeParse(payload).data ?? null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
