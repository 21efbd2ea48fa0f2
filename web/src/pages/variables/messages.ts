import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  about: {
    en: 'Values that action code reads as ctx.variables and ctx.resources. Stored encrypted.',
    ko: '액션 코드에서 ctx.variables와 ctx.resources로 읽는 값입니다. 모두 암호화해 저장합니다.',
  },
  resources: { en: 'Resources', ko: '리소스' },
  keyHint: {
    en: 'Letters, digits, _ . and -. Starts with a letter or _.',
    ko: '영문자, 숫자, _, ., -를 쓸 수 있으며 영문자나 _로 시작합니다.',
  },
  secret: { en: 'secret', ko: '비밀' },
  plain: { en: 'readable', ko: '읽기 가능' },
  hidden: { en: 'hidden', ko: '표시하지 않음' },
  typeHint: {
    en: 'For example postgres, s3 or slack.',
    ko: '용도를 나타내는 이름: postgres, s3, slack 등',
  },
  by: { en: 'Updated by', ko: '수정한 사람' },
  at: { en: 'Updated', ko: '수정' },
  replace: { en: 'Replace', ko: '교체' },
  newVariable: { en: 'New variable', ko: '새 변수' },
  newResource: { en: 'New resource', ko: '새 리소스' },
  replaceTitle: { en: (key: string) => `Replace ${key}`, ko: (key: string) => `${key} 교체` },
  replaceText: {
    en: 'The old value is lost at once. Jobs that start from now on read the new one.',
    ko: '이전 값은 바로 사라지며, 이후 시작하는 작업부터 새 값을 읽습니다.',
  },
  exists: {
    en: 'This key exists. Saving replaces its value.',
    ko: '이미 있는 키입니다. 저장하면 값이 교체됩니다.',
  },
  isSecret: {
    en: 'Secret: cannot be read here again',
    ko: '비밀 값: 저장한 뒤에는 여기서 다시 볼 수 없음',
  },
  valueHint: {
    en: 'Sent once and not stored in the browser.',
    ko: '한 번만 전송하며 브라우저에 저장하지 않습니다.',
  },
  jsonHint: {
    en: 'JSON. Stored encrypted, never shown again and not stored in the browser.',
    ko: 'JSON 형식입니다. 전체를 암호화해 다시 표시하지 않으며 브라우저에 저장하지 않습니다.',
  },
  saved: {
    en: (key: string) => `${key} was saved`,
    ko: (key: string) => `${key} 항목을 저장했습니다`,
  },
  removeTitle: {
    en: (key: string) => `Delete ${key}?`,
    ko: (key: string) => `${key} 항목을 삭제할까요?`,
  },
  removeText: {
    en: 'Jobs that start from now on no longer find this key. The value cannot be restored.',
    ko: '이후 시작하는 작업은 이 키의 값을 찾을 수 없습니다. 값은 되돌릴 수 없습니다.',
  },
  removed: {
    en: (key: string) => `${key} was deleted`,
    ko: (key: string) => `${key} 항목을 삭제했습니다`,
  },
  notRemoved: { en: 'Could not delete it', ko: '삭제하지 못했습니다' },
  noVariables: { en: 'No variables yet', ko: '아직 변수가 없습니다' },
  noVariablesText: {
    en: 'A variable is text for your code that does not belong in git, such as an API key or an address. In an action:',
    ko: '변수는 코드에서 읽지만 Git에 두면 안 되는 텍스트입니다(API 키, 주소 등). 액션에서 이렇게 씁니다.',
  },
  noResources: { en: 'No resources yet', ko: '아직 리소스가 없습니다' },
  noResourcesText: {
    en: 'A resource is JSON under one key, such as the settings of a database connection. In an action:',
    ko: '리소스는 키 하나에 담는 JSON입니다(예: 데이터베이스 연결 정보). 액션에서 이렇게 씁니다.',
  },
})
