import { defineMessages, plural } from '../../../language/messages.ts'

export const messages = defineMessages({
  usage: { en: 'Usage', ko: '사용량' },
  noUsage: { en: 'No runs in the last 30 days.', ko: '최근 30일간 실행이 없습니다.' },
  runsCounted: {
    en: (runs: string, failures: string) =>
      `${runs} ${runs === '1' ? 'run' : 'runs'} in 30 days, ${failures} failed`,
    ko: (runs: string, failures: string) => `30일간 실행 ${runs}회 중 ${failures}회 실패`,
  },
  ranFor: {
    en: (time: string) => `${time} in 30 days`,
    ko: (time: string) => `30일간 ${time}`,
  },
  keys: { en: 'Keys', ko: '키' },
  // grants
  deny: {
    en: 'Actions that are not selected are refused. Changes apply at once, also to keys in use.',
    ko: '선택하지 않은 액션은 거부됩니다. 변경은 사용 중인 키에도 즉시 적용됩니다.',
  },
  chosen: {
    en: (n: number) => `${n} ${plural(n, 'action', 'actions')}`,
    ko: (n: number) => `액션 ${n}개`,
  },
  find: { en: 'Find an app', ko: '앱 찾기' },
  allOf: { en: (app: string) => `All of ${app}`, ko: (app: string) => `${app} 전체` },
  gone: { en: 'no longer deployed', ko: '더 이상 배포되지 않음' },
  noActions: { en: 'This app has no actions.', ko: '이 앱에는 액션이 없습니다.' },
  noApps: { en: 'No apps are deployed yet.', ko: '아직 배포된 앱이 없습니다.' },
  reset: { en: 'Discard changes', ko: '변경 취소' },
  saved: { en: 'Allowed actions saved', ko: '허용 액션을 저장했습니다' },
  // keys
  newKey: { en: 'New key', ko: '새 키' },
  createKey: { en: 'Create key', ko: '키 만들기' },
  theKey: { en: 'Your new key', ko: '키' },
  keyHint: {
    en: 'Where it is used, for example “production”.',
    ko: '사용처를 적어 두세요. 예: “운영”',
  },
  keyUse: {
    en: 'Send it to the customer over a secure channel. They call:',
    ko: '안전한 방법으로 고객에게 전달하세요. 고객은 다음과 같이 호출합니다.',
  },
  notCreated: { en: 'Could not create the key', ko: '키를 만들지 못했습니다' },
  revokeTitle: {
    en: (name: string) => `Revoke “${name}”?`,
    ko: (name: string) => `“${name}” 키를 폐기할까요?`,
  },
  revokeText: {
    en: 'Calls with this key fail at once. This cannot be undone. Give the customer another key first.',
    ko: '이 키를 쓰는 호출은 즉시 거부됩니다. 되돌릴 수 없으니 먼저 새 키를 전달하세요.',
  },
  revoked: { en: 'Key revoked', ko: '키를 폐기했습니다' },
  notRevoked: { en: 'Could not revoke the key', ko: '키를 폐기하지 못했습니다' },
  noKeys: { en: 'No keys yet', ko: '아직 키가 없습니다' },
  noKeysText: {
    en: 'The customer needs a key to make calls.',
    ko: '고객이 호출하려면 키가 필요합니다.',
  },
  // the customer itself
  editTitle: { en: 'Edit customer', ko: '고객 수정' },
  disableTitle: {
    en: (name: string) => `Disable ${name}?`,
    ko: (name: string) => `${name} 고객을 비활성화할까요?`,
  },
  disableText: {
    en: 'All its keys stop working at once. You can enable the customer again.',
    ko: '모든 키가 즉시 거부됩니다. 허용 액션과 키는 남으며 다시 활성화할 수 있습니다.',
  },
  removeTitle: {
    en: (name: string) => `Delete ${name}?`,
    ko: (name: string) => `${name} 고객을 삭제할까요?`,
  },
  removeText: {
    en: 'This deletes the customer with its keys and permissions. Its jobs and billing records stay. This cannot be undone.',
    ko: '키와 허용 액션이 함께 삭제됩니다. 작업과 과금 기록은 남습니다. 되돌릴 수 없습니다.',
  },
  removed: { en: 'Customer deleted', ko: '고객을 삭제했습니다' },
  notChanged: { en: 'Could not change the customer', ko: '고객을 변경하지 못했습니다' },
})
