import { defineMessages, plural } from '../../language/messages.ts'

export const messages = defineMessages({
  idHint: { en: 'Used in URLs; it cannot be changed.', ko: '모든 주소에 쓰이며 바꿀 수 없습니다.' },
  tag: { en: 'Default tag', ko: '기본 태그' },
  tagHint: {
    en: 'The tag of jobs whose action has none. Letters, digits, . - and _.',
    ko: '액션에 태그가 없으면 작업에 이 태그가 붙습니다. 영문자, 숫자, ., -, _를 쓸 수 있습니다.',
  },
  handler: { en: 'Error handler', ko: '오류 처리 액션' },
  handlerHint: {
    en: 'app/action to run for each failed job, with the job and its error as input. Leave empty for none.',
    ko: '실패한 작업마다 실행할 액션(app/action)입니다. 실패한 작업과 원인이 입력으로 전달됩니다. 비우면 사용하지 않습니다.',
  },
  suspended: {
    en: 'This workspace is suspended: paid calls are refused.',
    ko: '이 워크스페이스는 정지되어 유료 호출이 거부됩니다.',
  },
  saved: { en: 'Settings saved', ko: '설정을 저장했습니다' },
  notSaved: { en: 'Could not save the settings', ko: '설정을 저장하지 못했습니다' },
  onlyAdmins: {
    en: 'Only admins can change these settings.',
    ko: '설정은 관리자만 바꿀 수 있습니다.',
  },
  sections: { en: 'Side bar', ko: '사이드바' },
  sectionsText: {
    en: 'Turn off what this workspace does not use. The pages stay reachable by link and by search.',
    ko: '사용하지 않는 메뉴를 숨깁니다. 숨겨도 링크와 검색으로는 열 수 있습니다.',
  },
  storage: { en: 'Storage', ko: '저장 공간' },
  stored: { en: 'Stored', ko: '사용량' },
  quota: { en: 'Quota', ko: '한도' },
  noQuota: { en: 'No limit', ko: '제한 없음' },
  measured: { en: 'Measured', ko: '측정 시각' },
  storageHint: {
    en: 'Inputs, results, logs, flow data, state, drafts and pushed repositories. New runs are refused at the quota.',
    ko: '입력, 결과, 로그, 플로우 데이터, 상태, 초안, 푸시된 저장소를 합한 크기입니다. 한도에 도달하면 새 실행이 거부됩니다.',
  },
  server: { en: 'This server', ko: '이 서버' },
  retention: { en: 'Job retention', ko: '종료된 작업 보관' },
  days: { en: (n: number) => `${n} ${plural(n, 'day', 'days')}`, ko: (n: number) => `${n}일` },
  forEver: { en: 'forever', ko: '무기한' },
  body: { en: 'Largest JSON body', ko: '최대 JSON 본문' },
  setBy: {
    en: 'Set by the instance operator. To see the values on the server:',
    ko: '인스턴스 운영자가 정합니다. 서버에서 다음 명령으로 확인할 수 있습니다.',
  },
})
