import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  try: { en: 'Try it', ko: '호출해 보기' },
  calls: { en: 'Calls', ko: '호출 기록' },
  missing: { en: 'Function not found', ko: '해당 함수가 없습니다' },
  missingText: {
    en: 'The app has no function with this name. It may have been renamed or not deployed yet.',
    ko: '앱에 이 이름의 함수가 없습니다. 이름이 바뀌었거나 아직 배포되지 않았을 수 있습니다.',
  },
  tags: { en: 'Tags', ko: '태그' },
  hash: { en: 'Hash', ko: '해시' },
  deployed: { en: 'Deployed', ko: '배포' },
  by: { en: 'Deployed by', ko: '배포자' },
  open: {
    en: 'Anyone who knows the address can call it. The function must authenticate its callers.',
    ko: '주소를 아는 누구나 호출할 수 있습니다. 호출자 확인은 함수가 직접 해야 합니다.',
  },
  // try
  method: { en: 'Method', ko: '메서드' },
  query: { en: 'Query', ko: '쿼리' },
  queryHint: { en: 'As in a URL: name=Ada&times=2', ko: '주소에 쓰는 형식: name=Ada&times=2' },
  headers: { en: 'Headers', ko: '헤더' },
  headersHint: {
    en: 'One per line, as name: value. Your session is not sent.',
    ko: '한 줄에 하나씩 이름: 값 형식으로 입력합니다. 로그인 세션은 전송되지 않습니다.',
  },
  badHeaders: {
    en: (line: string) => `“${line}” is not a header. Write name: value.`,
    ko: (line: string) => `“${line}” 줄은 헤더 형식이 아닙니다. 이름: 값 형식으로 쓰세요.`,
  },
  body: { en: 'Body', ko: '본문' },
  send: { en: 'Send', ko: '보내기' },
  response: { en: 'Response', ko: '응답' },
  noResponse: {
    en: 'The response appears here: status, time, headers and body.',
    ko: '상태, 시간, 헤더, 본문이 여기에 표시됩니다.',
  },
  emptyBody: { en: 'The body is empty.', ko: '본문이 비어 있습니다.' },
  binary: {
    en: (bytes: string, type: string) => `${bytes} bytes of ${type}`,
    ko: (bytes: string, type: string) => `${type} ${bytes}바이트`,
  },
  longBody: {
    en: (shown: string) => `The first ${shown} characters are shown.`,
    ko: (shown: string) => `앞부분 ${shown}자만 표시합니다.`,
  },
  notSent: { en: 'Could not call the function', ko: '함수를 호출하지 못했습니다' },
  // calls
  noCalls: { en: 'No calls yet', ko: '아직 호출된 적이 없습니다' },
  noCallsText: { en: 'Calls appear here automatically:', ko: '호출하면 자동으로 표시됩니다.' },
  call: { en: 'Call', ko: '호출' },
  noLog: { en: 'No log output.', ko: '남긴 로그가 없습니다.' },
  gone: {
    en: 'This call is not among the newest. Scroll the list to find it.',
    ko: '최근 호출 목록에 없습니다. 목록을 내려 찾아보세요.',
  },
  // code
  edit: {
    en: 'To change it, pull the app and deploy it again:',
    ko: '수정하려면 앱을 내려받아 다시 배포하세요.',
  },
})
