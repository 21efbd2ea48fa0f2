/** What to use instead of popular packages that need machine code, programs or files of their own, which no job has. */

const DATABASE = 'Use "sql.js" for data in memory, or a database over the network.'
const PASSWORDS = 'Use "hash-wasm".'
const PICTURES = 'Use "jimp" or "pureimage".'
const MODELS =
  'Use "onnxruntime-web", or call a model over the network, for example with "@huggingface/inference".'

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['sharp', 'Use "jimp", or a service that resizes pictures.'],
  ['canvas', PICTURES],
  ['skia-canvas', PICTURES],
  ['@napi-rs/canvas', PICTURES],
  ['bcrypt', 'Use "bcryptjs".'],
  ['@node-rs/bcrypt', 'Use "bcryptjs".'],
  ['argon2', PASSWORDS],
  ['@node-rs/argon2', PASSWORDS],
  ['sodium-native', 'Use "libsodium-wrappers".'],
  ['better-sqlite3', DATABASE],
  ['sqlite3', DATABASE],
  ['duckdb', DATABASE],
  ['@duckdb/node-bindings', DATABASE],
  ['lmdb', 'Use ctx.state, or a database over the network.'],
  ['libsql', 'Import "@libsql/client/web", which reaches a database over the network.'],
  ['pg-native', 'Use "pg" alone.'],
  ['snowflake-sdk', 'Call the SQL API of Snowflake with fetch.'],
  ['node-rdkafka', 'Use "kafkajs".'],
  ['re2', 'Use "re2js".'],
  ['libxmljs', 'Use "fast-xml-parser".'],
  ['libxmljs2', 'Use "fast-xml-parser".'],
  ['onnxruntime-node', MODELS],
  ['@tensorflow/tfjs-node', MODELS],
  ['tesseract.js', 'Call a service that recognises text.'],
  [
    'selenium-webdriver',
    'Use "puppeteer-core", and connect to a browser elsewhere by puppeteer.connect.',
  ],
  [
    '.prisma/client',
    'svc does not run prisma generate. Use the generator "prisma-client" with an `output` folder in the app and a driver adapter such as "@prisma/adapter-pg", and deploy that folder; or use "drizzle-orm" or "kysely".',
  ],
])

/** @param name of a package. @returns a sentence; undefined if svc knows no remedy */
export const remedyFor = (name: string): string | undefined => REMEDIES.get(name)
