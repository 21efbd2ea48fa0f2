import { expect, test } from 'vitest'
import { uploadFunctions } from './upload-functions.ts'

test.each(['Shop', 'my shop', '-shop', 'x'.repeat(64)])(
  'the id %j of .svcrc is refused before anything is sent, with the name of the file',
  async (app) => {
    const [folder, rc] = ['/srv/shop', '/srv/shop/.svcrc']
    const project = { folder, rc, app, name: app, port: 3_000, watch: true }
    const onAppMade = (): never => {
      throw new Error('It sent a request.')
    }
    await expect(
      uploadFunctions({ project, functions: [], force: false }, onAppMade),
    ).rejects.toThrow(
      `Deploy failed: ${rc}: application.id is "${app}", which cannot be the key of an app.`,
    )
  },
)
