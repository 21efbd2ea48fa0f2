import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  atOnce: {
    en: (limit: number, key: string) =>
      key === 'all' ? `${limit} at once` : `${limit} at once per ${key}`,
    ko: (limit: number, key: string) =>
      key === 'all' ? `동시 실행 ${limit}개` : `${key}별 동시 실행 ${limit}개`,
  },
  links: { en: 'Public links', ko: '공개 링크' },
  pick: {
    en: 'Select a step to see its details.',
    ko: '단계를 선택하면 내용이 표시됩니다.',
  },
  elsewhere: { en: 'Start from elsewhere', ko: '외부에서 시작' },
  cli: { en: 'Terminal', ko: '터미널' },
  wait: {
    en: 'Run and wait for the result, at most 30 s (token with flows:run)',
    ko: '실행하고 결과를 최대 30초 기다리기(flows:run 권한이 있는 토큰 필요)',
  },
  webhook: {
    en: 'Webhook (token with webhooks:invoke)',
    ko: '웹훅(webhooks:invoke 권한이 있는 토큰 필요)',
  },
  noRunsText: {
    en: 'Start it with the button above or in a terminal:',
    ko: '위의 시작 버튼을 누르거나 터미널에서 시작하세요.',
  },

  newLink: { en: 'New public link', ko: '새 공개 링크' },
  hasApproval: {
    en: 'A flow with an approval cannot have a public link, because the requester is unknown.',
    ko: '승인 단계가 있는 플로우는 공개 링크를 만들 수 없습니다. 요청자를 확인할 수 없기 때문입니다.',
  },
  noLinks: { en: 'No public links yet', ko: '공개 링크가 없습니다' },
  noLinksText: {
    en: 'With a public link anyone can start this flow through a form, without an account. They see its progress, never its data.',
    ko: '공개 링크로 누구나 계정 없이 양식을 작성해 이 플로우를 시작할 수 있습니다. 진행 상태만 볼 수 있고 데이터는 볼 수 없습니다.',
  },
  uses: { en: 'Used', ko: '사용' },
  usedOf: {
    en: (uses: string, most: string) => `${uses} of ${most}`,
    ko: (uses: string, most: string) => `${uses}/${most}`,
  },
  revoked: { en: 'Revoked', ko: '폐기됨' },
  ended: { en: 'Expired', ko: '만료됨' },
  usedUp: { en: 'Used up', ko: '모두 사용됨' },
  revokeTitle: { en: 'Revoke this link?', ko: '이 링크를 폐기할까요?' },
  revokeText: {
    en: 'It stops working at once for everyone. Runs it started continue.',
    ko: '이 링크는 누구에게나 즉시 무효가 됩니다. 이미 시작된 실행은 계속됩니다.',
  },
  revokedNews: { en: 'Link revoked', ko: '링크를 폐기했습니다' },
  notRevoked: { en: 'Could not revoke the link', ko: '링크를 폐기하지 못했습니다' },
  maxUses: { en: 'Max uses', ko: '최대 사용 횟수' },
  days: { en: 'Valid for (days)', ko: '유효 기간(일)' },
  formTitle: { en: 'Form fields', ko: '양식 항목' },
  formNote: {
    en: 'Do not ask for secrets. Anyone with the link can read the form, and the run can read the workspace’s variables and resources.',
    ko: '민감한 값은 받지 마세요. 링크를 가진 누구나 양식을 볼 수 있고, 실행은 워크스페이스의 변수와 리소스를 읽을 수 있습니다.',
  },
  missing: {
    en: (names: string) =>
      `The flow requires ${names}. Ask for it in a required field, or runs of this form fail.`,
    ko: (names: string) =>
      `플로우에 필요한 값입니다: ${names}. 필수 항목으로 받지 않으면 이 양식으로 시작한 실행이 실패합니다.`,
  },
  field: { en: (n: number) => `Field ${n}`, ko: (n: number) => `항목 ${n}` },
  label: { en: 'Label', ko: '이름' },
  types: {
    en: (type: string) =>
      ({
        text: 'Text',
        textarea: 'Long text',
        number: 'Number',
        boolean: 'Yes or no',
        email: 'E-mail address',
        date: 'Date',
        select: 'Choice',
      })[type] ?? type,
    ko: (type: string) =>
      ({
        text: '텍스트',
        textarea: '긴 텍스트',
        number: '숫자',
        boolean: '예/아니요',
        email: '이메일',
        date: '날짜',
        select: '선택',
      })[type] ?? type,
  },
  required: { en: 'Required', ko: '필수' },
  options: { en: 'Options, one per line', ko: '선택지 (한 줄에 하나)' },
  addField: { en: 'Add field', ko: '항목 추가' },
  removeField: { en: 'Remove', ko: '삭제' },
  create: { en: 'Create link', ko: '링크 만들기' },
  notCreated: { en: 'Could not create the link', ko: '링크를 만들지 못했습니다' },
  made: { en: 'Your public link', ko: '공개 링크' },
  shownOnce: {
    en: 'Copy it now. It is not shown again. If you lose it, revoke it and create another.',
    ko: '지금 복사해 두세요. 다시 표시되지 않습니다. 잃어버리면 폐기하고 새로 만드세요.',
  },
  open: { en: 'Open the form', ko: '양식 열기' },
  done: { en: 'Done', ko: '완료' },
})
