/** `make sdk`: builds the package into dist/sdk. */
import { resolve } from 'node:path'
import { buildSdk } from './build-sdk.ts'

buildSdk(resolve(import.meta.dirname, '../../dist/sdk'))
