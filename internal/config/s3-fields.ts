import { z } from 'zod'
import { settingMeta, text } from './setting.ts'

/** Settings of backups to S3, with the names that S3 tools use. */
export const s3Fields = {
  s3Endpoint: z
    .url({ protocol: /^https?$/, error: 'must be http://… or https://…' })
    .optional()
    .register(settingMeta, {
      env: 'AWS_ENDPOINT_URL_S3',
      alsoEnv: 'AWS_ENDPOINT_URL',
      defaultText: 'https://s3.<region>.amazonaws.com',
      sentence: 'Address of the S3-compatible service for `svc db backup s3://…`.',
    }),
  s3Region: z
    .string()
    .regex(/^[\w-]{1,63}$/, 'must be the name of a region, such as eu-central-1')
    .default('us-east-1')
    .register(settingMeta, {
      env: 'AWS_REGION',
      alsoEnv: 'AWS_DEFAULT_REGION',
      sentence: 'Region of that service; some use auto.',
    }),
  s3AccessKeyId: text.optional().register(settingMeta, {
    env: 'AWS_ACCESS_KEY_ID',
    sentence: 'Id of the access key for that service.',
    secret: true,
  }),
  s3SecretAccessKey: text.optional().register(settingMeta, {
    env: 'AWS_SECRET_ACCESS_KEY',
    sentence: 'Secret of that access key.',
    secret: true,
  }),
  s3SessionToken: text.optional().register(settingMeta, {
    env: 'AWS_SESSION_TOKEN',
    defaultText: 'none',
    sentence: 'Session token, for temporary access keys.',
    secret: true,
  }),
}
