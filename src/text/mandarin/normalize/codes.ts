import { matchAt, textBefore } from '../../patterns.ts';
import { chineseDigits, chineseNumber } from '../numbers.ts';
import { dayOfEvent } from './dates.ts';
import type { Rule } from './rule.ts';

const phone =
  /\+\d{1,3}[- ]\d{1,4}(?:[- ]\d{3,8}){1,3}(?!\d)|(?:\+86[- ]?)?(?:1[3-9]\d[- ]?\d{4}[- ]?\d{4}|\(?0\d{2,3}(?:[- ]|\)[- ]?)\d{3,4}[- ]?\d{4}|[48]00(?:[- ]?\d{3}[- ]?\d{4}|\d-\d{3}-\d{3}))(?!\d)/y;
/** 是 or a colon between a name and its number. */
const copula = '(?:为|是)?[:：]?\\s?';
/** Words before a code. */
const codeBefore = new RegExp(
  `(?:ICP备|(?:邮编|邮政编码|区号|验证码|取件码|提取码|邀请码|兑换码|激活码|密码|编号|学号|工号|卡号|账号|尾号|单号|证号|车牌号?|代码|QQ号?|微信号)${copula}|(?<![信符型括起数筹几多\\d一二三四五六七八九十])(?:号码?|码)(?:[为是]|[:：])\\s?)$`,
);
/** Words before a number to dial, with the numbers between if there are several: 拨打110、119. */
const dialledBefore = new RegExp(
  `(?:拨打|拨|致电|热线|座机|分机号?|内线|手机号|(?:报警|急救|客服|拨打|咨询|服务|联系)电话)${copula}(?:\\d{3,12}(?:[、,，/]|\\s?[或和]\\s?)){0,4}$`,
);
/** The province and letters of a number plate: 京A12345. */
const PLATE = '[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z]{1,2}';
/** Words before the number of a plate, a room, an extension, a national road or an aeroplane. */
const roomBefore = new RegExp(
  `(?:${PLATE}·?|房间号?|房号|门牌号|单元|[国省县]道|波音|空客|\\d{7,8}转)[为是]?[:：]?\\s?$`,
);
/** Digits that count nothing and begin no longer number. */
const nameDigits =
  /\d{3,20}(?!\d|\.\d|,\d{3}(?!\d)|[-–—~～]\d| \d{3}|\s?(?:[个元块万亿多余种条组套遍通户平米年月岁倍页吨%×xX*]|公里|千米|位(?![于置])|次(?!日)|人(?![工员力])|名(?!称)|天(?![然气津])|分钟|小时|以[内上下]|左右|部(?!门)|毫[安升米克]|[㎎-㎦]|(?:[ckm]?m[²³]?|[km]?g|m?[lL]|[KMGT]B|mAh)(?![A-Za-z\d])))/y;
/** The digits of a bank card, four by four. */
const cardDigits = /\d{4}(?: \d{3,4}){2,5}(?!\d| \d)/y;
/** All of them, which need no word before. */
const bankCard = /\d{4}(?: \d{4}){3}(?: \d{1,3})?(?!\d| \d)/y;
/** A number before the word for a room, an event, a bus or the like. */
const place =
  /\d{3,4}(?=室(?![内外温友])|房间|教室|号房|号?客机|[”"]?(?:[、/和]\d{3})?(?:事件|晚会|工程|工作制|大促|购物节|高校|院校)|路(?:公交|汽车|电车|车|$|[，。、,.和到的]))/y;
/** Telephone numbers that everybody knows. */
const hotline = /(?:12306|12315|12320|12333|12123|12348|10086|10010|95588|95566|95533)(?!\d)/y;
/** Calls for help: 110报警. */
const emergency = /(?:110|119|120|122)(?=报警|急救|火警|求助|求救|指挥中心|接警|出警|民警|救护车)/y;
/** Numbers with hyphens of which a later one begins with a zero: 2024-0153. */
/** A number of a book or an order, whose hyphens make no range. */
const bookBefore = /(?:ISBN|ISSN|书号|[订运快]单号?|单号)[:：]?\s?(?:[A-Z]{1,3})?$/;
const bookNumber = /\d{1,8}(?:-\d{1,8}){1,5}(?![\d-])/y;
const groups = /\d{2,8}(?:-\d{2,8}){0,3}?-0\d{2,7}(?:-\d{2,8}){0,2}(?![\d-]|[.:：]\d|\s?=)/y;
/** The name of a site before its ending: 163.com. */
const site = /(\d{2,6})\.(?=(?:com|cn|net|org|cc|tv|io)(?![A-Za-z]))/iy;
/** The number of a standard, with its year perhaps. */
const standard = /(\d{3,6})(?:[-–—:：](\d{4}))?(?!\d|[-–—.]\d)/y;
const standardBefore = /(?<![A-Za-z])(?:GB|ISO|IEC|IEEE|JB|YY|HJ|DL|QB|SJ)(?:\/[A-Z])?\s?$/;
/** A year before a quarter or half, and in the brackets of an official number: 2025Q1, 国发〔2023〕5号. */
const numberedYear =
  /(?:19|20)\d\d(?=[QH][1-4](?![\dA-Za-z])|[〕\])）](?:\d{1,4}号|[一-鿿]{1,5}\d{0,4}[民刑行执破知]))/y;
/** Formations and doors: 4-3-3. */
const parts = /\d{1,2}(?:-\d{1,2}){1,3}-\d{1,4}(?![\d-]|\s?=|\.\d)/y;
/** What is counted has a range: 图3-5个. */
const figure =
  /\d{1,3}(?:-\d{1,3}){1,2}(?![\d-]|\s?=|\.\d|\s?(?:[张万亿千百元月岁倍页条家%]|个(?![体人别])|种(?![群类])|天(?![然气])|人(?![口员均])|项(?!目)|分钟|小时|次(?!数)|年(?![度龄])|名(?!称)|位(?!置)))/y;
/** Not 代表 or 方式. */
/** A room: 3-2会议室 */
const room = /\d{1,2}-\d{1,4}(?=会议室|教室|包间|病房|诊室|自习室)/y;
const figureBefore =
  /(?:(?<![企意试力])图|(?<![代手钟])表|(?<![方模形正格仪款样])式|附录|会议室|教室|包间|病房|诊室)\s?$/;
/** The sale of June 18. */
const saleBefore = /(?:京东|天猫|淘宝|拼多多|今年|去年|年的?|抖音|苏宁)\s?$/;
const saleAfter = /618(?=大促|购物节|活动|期间|年中|狂欢|促销|预售|优惠)/y;
const MAX_NAME = 40;

/** 138 1234 5678, 400-123-4567 */
export const rewritePhone: Rule = ({ text, index, options }) => {
  const match = options.phone_normalization ? matchAt(phone, text, index)?.[0] : undefined;
  if (match === undefined) return undefined;
  const groups = match.match(/\d+/g)!.map((digits) => chineseDigits(digits, true));
  return { end: index + match.length, replacement: (match.startsWith('+') ? '加' : '') + groups.join('') };
};

/** 4-3-3, 图3-2: neither is a range. */
export const rewriteParts: Rule = (context) => {
  const { text, index } = context;
  const isFigure = figureBefore.test(textBefore(context, 3));
  const roomNumber = matchAt(room, text, index)?.[0];
  const match = roomNumber ?? matchAt(isFigure ? figure : parts, text, index)?.[0];
  if (match === undefined || text[index - 1] === '-') return undefined;
  const read = (digits: string) => (digits.length > 2 ? chineseDigits(digits, true) : chineseNumber(digits));
  const isFormation = !isFigure && roomNumber === undefined && /^(?:\d-)+\d$/.test(match);
  return {
    end: index + match.length,
    replacement: match
      .split('-')
      .map(read)
      .join(isFormation ? '' : '杠'),
  };
};

/** A1234-5678: a code, not a range. */
const letteredCode = /\d{3,8}(?:-\d{3,8}){1,3}(?![\d-])/y;
/** Chips: RTX 4090, 骁龙888 */
const chipBefore = /(?:(?<![A-Za-z])(?:[GR]TX|RX)|骁龙|锐龙)\s?$/;
const chip = /\d{3,5}(?!\d|[.,-]\d|元|块)/y;
/** 3.15晚会, 9.18事变: the month and day of an event. */
const eventDate = /(\d{1,2})[.·](\d{1,2})(?=晚会|事变|运动|惨案|大?地震|事件|消费者|国家公祭)/y;
/** 1m85, the height of a person */
const height = /([12])m(\d{2})(?![\d.A-Za-z])/y;
const cheers = /(?:6{3,8}|23{2,8})(?=$|[!！。,，、~～…\s])/y;
const nameNumber = /\d{1,4}(?!\d|[.,]\d|(?!\p{Script=Han})\p{L})/uy;
const nameBefore = /(?<![\p{Script=Latin}\d])\p{Lu}\p{Script=Latin}{0,11}$/u;

/** The number of a name in Latin letters: B12, 航班CA1234. */
export const rewriteNameNumber: Rule = (context) => {
  const model = chipBefore.test(textBefore(context, 10)) ? matchAt(chip, context.text, context.index)?.[0] : undefined;
  if (model !== undefined) return { end: context.index + model.length, replacement: chineseDigits(model) };
  const code = /[A-Z]$/.test(textBefore(context, 1))
    ? matchAt(letteredCode, context.text, context.index)?.[0]
    : undefined;
  if (code !== undefined)
    return {
      end: context.index + code.length,
      replacement: code
        .split('-')
        .map((part) => chineseDigits(part, true))
        .join('杠'),
    };
  const digits = nameBefore.test(textBefore(context, 14))
    ? matchAt(nameNumber, context.text, context.index)?.[0]
    : undefined;
  if (digits === undefined) return undefined;
  const isLong = digits.length > 2 || digits.startsWith('0');
  return {
    end: context.index + digits.length,
    replacement: isLong ? chineseDigits(digits, true) : chineseNumber(digits),
  };
};

/** GB/T 19001-2016 */
export const rewriteStandard: Rule = (context) => {
  const [written, number = '', year = ''] = standardBefore.test(textBefore(context, 8))
    ? (matchAt(standard, context.text, context.index) ?? [])
    : [];
  if (written === undefined) return undefined;
  const replacement = `${chineseDigits(number)}${year && `杠${chineseDigits(year)}`}`;
  return { end: context.index + written.length, replacement };
};

/** 2025Q1, 〔2023〕5号 */
export const rewriteNumberedYear: Rule = ({ text, index }) => {
  const year = matchAt(numberedYear, text, index)?.[0];
  return year === undefined ? undefined : { end: index + year.length, replacement: chineseDigits(year) };
};

/** 哈哈哈666: cheers and laughs of chats. */
export const rewriteCheer: Rule = (context) => {
  const cheer = /(?:[哈啊呀了牛强帅棒赞!！~～]|^)$/u.test(textBefore(context, 1))
    ? matchAt(cheers, context.text, context.index)?.[0]
    : undefined;
  return cheer === undefined ? undefined : { end: context.index + cheer.length, replacement: chineseDigits(cheer) };
};

/** 9.18事变 */
export const rewriteEventDate: Rule = ({ text, index }) => {
  const [all, month = '', day = ''] = matchAt(eventDate, text, index) ?? [];
  return all === undefined
    ? undefined
    : { end: index + all.length, replacement: chineseDigits(month) + dayOfEvent(month, day) };
};

/** 1m85 */
export const rewriteHeight: Rule = ({ text, index }) => {
  const [all, metres = '', rest = ''] = matchAt(height, text, index) ?? [];
  return all === undefined
    ? undefined
    : { end: index + all.length, replacement: `${chineseNumber(metres)}米${chineseDigits(rest)}` };
};

/** A number that is a name, digit by digit: 邮编100080, 1101室, 163.com, 2024-0153. */
export const rewriteCode: Rule = (context) => {
  const { text, index } = context;
  const call = matchAt(emergency, text, index)?.[0];
  if (call !== undefined) return { end: index + call.length, replacement: chineseDigits(call, true) };
  const [address, host = ''] = matchAt(site, text, index) ?? [];
  if (address !== undefined) return { end: index + address.length, replacement: `${chineseDigits(host)}点` };
  const grouped = matchAt(groups, text, index)?.[0];
  if (grouped !== undefined) return { end: index + grouped.length, replacement: groupsOfDigits(grouped) };
  const before = textBefore(context, MAX_NAME);
  const book = bookBefore.test(before) ? matchAt(bookNumber, text, index)?.[0] : undefined;
  if (book !== undefined) return { end: index + book.length, replacement: groupsOfDigits(book) };
  const digits = matchAt(nameDigits, text, index)?.[0];
  const isSale = matchAt(saleAfter, text, index) !== undefined || (digits === '618' && saleBefore.test(before));
  if (isSale) return { end: index + 3, replacement: chineseDigits('618') };
  const isCode = codeBefore.test(before);
  const card = matchAt(isCode ? cardDigits : bankCard, text, index)?.[0];
  if (card !== undefined) return { end: index + card.length, replacement: chineseDigits(card.replaceAll(' ', '')) };
  if (digits === undefined) return undefined;
  const end = index + digits.length;
  if (isCode) return { end, replacement: chineseDigits(digits) };
  const isPlace = matchAt(place, text, index) !== undefined && !digits.endsWith('00');
  return isPlace || matchAt(hotline, text, index) !== undefined || roomBefore.test(before) || dialledBefore.test(before)
    ? { end, replacement: chineseDigits(digits, true) }
    : undefined;
};

/** `978-7-04` digit by digit, its hyphens as 杠. */
function groupsOfDigits(code: string): string {
  return code
    .split('-')
    .map((part) => chineseDigits(part))
    .join('杠');
}
