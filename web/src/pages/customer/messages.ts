import { defineMessages, plural } from '../../language/messages.ts'

export const messages = defineMessages({
  customers: { en: 'Customers', ko: '고객' },
  parts: { en: 'Parts of the customer', ko: '고객 정보' },
  grants: { en: 'May run', ko: '허용 액션' },
  keys: { en: 'Keys', ko: '키' },
  facts: { en: 'Details', ko: '상세' },
  id: { en: 'Id', ko: 'ID' },
  state: { en: 'State', ko: '상태' },
  ref: { en: 'Your reference', ko: '외부 참조' },
  name: { en: 'Name', ko: '이름' },
  created: { en: 'Created', ko: '생성' },
  createdBy: { en: 'Created by', ko: '생성한 사람' },
  changed: { en: 'Changed', ko: '변경' },
  // grants
  deny: {
    en: 'What is not ticked is refused. A change works at once, for keys that are in use too.',
    ko: '선택하지 않은 액션은 거부됩니다. 변경은 사용 중인 키에도 즉시 적용됩니다.',
  },
  chosen: {
    en: (n: number) => `${n} ${plural(n, 'action', 'actions')}`,
    ko: (n: number) => `액션 ${n}개`,
  },
  find: { en: 'Find an app', ko: '앱 찾기' },
  allOf: { en: (app: string) => `All of ${app}`, ko: (app: string) => `${app} 전체` },
  gone: { en: 'not deployed any more', ko: '더 이상 배포되지 않음' },
  noActions: { en: 'This app has no actions.', ko: '이 앱에는 액션이 없습니다.' },
  noApps: { en: 'No apps are deployed yet.', ko: '아직 배포된 앱이 없습니다.' },
  save: { en: 'Save', ko: '저장' },
  reset: { en: 'Undo changes', ko: '되돌리기' },
  saved: { en: 'What the customer may run was changed', ko: '허용 액션을 변경했습니다' },
  notSaved: { en: 'It was not changed', ko: '변경하지 못했습니다' },
  // keys
  newKey: { en: 'New key', ko: '새 키' },
  createKey: { en: 'Create key', ko: '키 만들기' },
  theKey: { en: 'The key', ko: '키' },
  keyHint: { en: 'Where it is used: “production”.', ko: '사용처를 적어 두세요. 예: “운영”' },
  keyUse: {
    en: 'Give it to the customer by a safe way. They call:',
    ko: '안전한 방법으로 고객에게 전달하세요. 고객은 다음과 같이 호출합니다.',
  },
  notCreated: { en: 'The key was not made', ko: '키를 만들지 못했습니다' },
  prefix: { en: 'Begins with', ko: '앞부분' },
  expires: { en: 'Expires', ko: '만료' },
  revokedAt: { en: 'Revoked', ko: '폐기' },
  revoke: { en: 'Revoke', ko: '폐기' },
  revokeTitle: {
    en: (name: string) => `Revoke “${name}”?`,
    ko: (name: string) => `“${name}” 키를 폐기할까요?`,
  },
  revokeText: {
    en: 'Calls with it are refused at once. This cannot be undone; give the customer another key first.',
    ko: '이 키를 쓰는 호출은 즉시 거부됩니다. 되돌릴 수 없으니 먼저 새 키를 전달하세요.',
  },
  revoked: { en: 'The key was revoked', ko: '키를 폐기했습니다' },
  notRevoked: { en: 'The key was not revoked', ko: '키를 폐기하지 못했습니다' },
  noKeys: { en: 'No keys yet', ko: '아직 키가 없습니다' },
  noKeysText: {
    en: 'Without a key the customer cannot call.',
    ko: '키가 없으면 고객이 호출할 수 없습니다.',
  },
  // the customer itself
  edit: { en: 'Edit', ko: '수정' },
  editTitle: { en: 'Edit the customer', ko: '고객 수정' },
  disable: { en: 'Disable', ko: '비활성화' },
  enable: { en: 'Enable', ko: '다시 활성화' },
  disableTitle: {
    en: (name: string) => `Disable ${name}?`,
    ko: (name: string) => `${name} 고객을 비활성화할까요?`,
  },
  disableText: {
    en: 'All its keys are refused at once. Grants and keys stay, and it can be enabled again.',
    ko: '모든 키가 즉시 거부됩니다. 허용 액션과 키는 남으며 다시 활성화할 수 있습니다.',
  },
  remove: { en: 'Delete', ko: '삭제' },
  removeTitle: {
    en: (name: string) => `Delete ${name}?`,
    ko: (name: string) => `${name} 고객을 삭제할까요?`,
  },
  removeText: {
    en: 'The customer goes with its keys and grants; its jobs and billing records stay. This cannot be undone.',
    ko: '키와 허용 액션이 함께 삭제됩니다. 작업과 과금 기록은 남습니다. 되돌릴 수 없습니다.',
  },
  removed: { en: 'The customer was deleted', ko: '고객을 삭제했습니다' },
  notChanged: { en: 'The customer was not changed', ko: '고객을 변경하지 못했습니다' },
})
