import { expect, test } from 'vitest'
import { debianCopyright } from './debian-copyright.ts'

test('the file is a list of paragraphs, in which components with the same texts share one', () => {
  const text = debianCopyright({
    components: [
      { name: 'pako', version: '1.0.0', license: '(MIT AND Zlib)', texts: [1, 0] },
      { name: 'react', version: '19.0.0', license: 'MIT', texts: [0] },
      { name: 'react', version: '20.0.0', license: 'MIT', texts: [0] },
      { name: 'react-dom', version: '19.0.0', license: 'MIT', texts: [0] },
    ],
    texts: [
      'MIT License\n\n * Copyright (c) Ada, Inc.\n\nPermission is granted.',
      'Use it for anything.\ncopyright notices must stay',
    ],
  })
  expect(text).toBe(`Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: svc

Files: *
Copyright: the authors of svc
License: UNLICENSED
 All rights reserved. The packages that svc contains have the licences below.

Files:
 node_modules/pako/*
Copyright:
 Copyright (c) Ada, Inc.
License: MIT and Zlib
 Use it for anything.
 copyright notices must stay
 .
 MIT License
 .
  * Copyright (c) Ada, Inc.
 .
 Permission is granted.

Files:
 node_modules/react/*
 node_modules/react-dom/*
Copyright:
 Copyright (c) Ada, Inc.
License: MIT
 MIT License
 .
  * Copyright (c) Ada, Inc.
 .
 Permission is granted.
`)
})

test('a comment names the lists of what Deno and libSQL contain', () => {
  const deno = { name: 'deno', version: '2.0.0', license: 'MIT', texts: [0] }
  const text = debianCopyright({ components: [deno], texts: ['MIT License'] })
  expect(text).toMatch(
    /^Comment:\n Deno and .*\n .*\n {3}https:\/\/github\.com\/denoland\/deno\/blob\/v2\.0\.0\/Cargo\.lock$/m,
  )
})
