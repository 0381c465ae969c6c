/** Food, medicines, technical and other words. */
export const WORDS = `
acai AH0 S AY0 IY1
acceded AE0 K S IY1 D IH0 D
aches EY1 K S
adalimumab EY2 D AH0 L IH1 M Y AH0 M AE2 B
aether IY1 TH ER0
affogato AA2 F OW0 G AA1 T OW0
agha AA1 G AH0
agnolotti AE2 N Y AH0 L AA1 T IY0
amiodarone AE2 M IY0 OW1 D ER0 OW2 N
amlodipine AE0 M L OW1 D AH0 P IY2 N
amuse AH0 M Y UW1 Z
anywho EH1 N IY0 HH UW2
apixaban AH0 P IH1 K S AH0 B AE2 N
appetit AE2 P EY0 T IY1
aquaman AA1 K W AH0 M AE2 N
aripiprazole EH2 R AH0 P IH1 P R AH0 Z OW2 L
atorvastatin AH0 T AO2 R V AH0 S T AE1 T IH0 N
attaché AE2 T AH0 SH EY1
automating AO1 T AH0 M EY2 T IH0 NG
azithromycin AH0 Z IH2 TH R OW0 M AY1 S AH0 N
bailed B EY1 L D
banh B AA1 N
basted B EY1 S T IH0 D
basting B EY1 S T IH0 NG
bearnaise B EH2 R N EY1 Z
bechamel B EY2 SH AH0 M EH1 L
bisphenol B IH0 S F IY1 N AO2 L
blasé B L AA0 Z EY1
bolognese B OW2 L AH0 N EY1 Z
brulee B R UW0 L EY1
buprenorphine B Y UW2 P R AH0 N AO1 R F IY0 N
caesium S IY1 Z IY0 AH0 M
caliente K AE2 L IY0 EH1 N T EY0
ceramide S EH1 R AH0 M AY2 D
cetera S EH1 T ER0 AH0
chevre SH EH1 V R AH0
chibi CH IY1 B IY0
chitosan K AY1 T AH0 S AE2 N
citalopram S AH0 T AE1 L AH0 P R AE2 M
clonazepam K L OW0 N AE1 Z AH0 P AE2 M
clopidogrel K L OW0 P IH1 D AH0 G R EH2 L
coeur K ER1
communique K AH0 M Y UW2 N AH0 K EY1
consomme K AA2 N S AH0 M EY1
copay K OW1 P EY2
cosign K OW1 S AY2 N
couched K AW1 CH T
coupé K UW0 P EY1
coyotes K AY0 OW1 T IY0 Z
creepypasta K R IY1 P IY0 P AA2 S T AH0
crème K R EH1 M
Creutzfeldt-Jakob K R OY2 T S F EH0 L T Y AA1 K AH0 B
cringy K R IH1 N JH IY0
curing K Y UH1 R IH0 NG
d'etat D EY0 T AA1
d'etre D EH1 T R AH0
d'oeuvre D ER1 V
d'oeuvres D ER1 V Z
debuts D EY2 B Y UW1 Z
defi D IY1 F AY2
deja D EY2 ZH AA1
diming D AY1 M IH0 NG
dives D AY1 V Z
doppelganger D AA1 P AH0 L G AE2 NG ER0
duloxetine D UW0 L AA1 K S AH0 T IY2 N
ebitda IY1 B IH0 T D AA2
eclair EY0 K L EH1 R
entree AA1 N T R EY2
enum IY1 N AH0 M
escitalopram EH2 S AH0 T AE1 L AH0 P R AE2 M
etude EY1 T UW2 D
exposé EH2 K S P OW0 Z EY1
fajita F AH0 HH IY1 T AH0
feted F EY1 T IH0 D
fiance F IY2 AA0 N S EY1
fiancee F IY2 AA0 N S EY1
finasteride F AH0 N AE1 S T ER0 AY2 D
flac F L AE1 K
foie F W AA1
frisé F R IY0 Z EY1
fromage F R OW0 M AA1 ZH
furore F Y UH1 R AO2 R
gamergate G EY1 M ER0 G EY2 T
gewurztraminer G AH0 V UH1 R T S T R AH0 M IY2 N ER0
giardia JH IY0 AA1 R D IY0 AH0
gras G R AA1
grigio G R IY1 JH OW0
gruyere G R UW0 Y EH1 R
Guillain-Barré G IY2 AE0 N B AH0 R EY1
gyoza G Y OW1 Z AH0
harissa HH AH0 R IY1 S AH0
hors AO1 R
hydrochlorothiazide HH AY2 D R OW0 K L AO2 R OW0 TH AY1 AH0 Z AY2 D
hydrocodone HH AY2 D R OW0 K OW1 D OW2 N
iberico IH0 B EH1 R IH0 K OW2
imma AY1 M AH0
ingenue AE1 N ZH AH0 N UW2
insta IH1 N S T AH0
inu IY1 N UW0
ith AY1 TH
jalapeno HH AA2 L AH0 P EY1 N Y OW0
jama JH AE1 M AH0
jamón HH AH0 M OW1 N
jiaozi JH Y AW1 Z IY0
jth JH EY1 TH
keto K IY1 T OW0
kth K EY1 TH
lamotrigine L AH0 M OW1 T R AH0 JH IY2 N
lapis L AE1 P IH0 S
levetiracetam L EH2 V AH0 T AH0 R AE1 S AH0 T AE2 M
levothyroxine L IY2 V OW0 TH AY0 R AA1 K S IY0 N
linoleic L IH2 N AH0 L EY1 IH0 K
lisinopril L AY0 S IH1 N AH0 P R IH2 L
losartan L OW0 S AA1 R T AE0 N
maché M AH0 SH EY1
macrame M AE1 K R AH0 M EY2
manuka M AH0 N UW1 K AH0
melange M EY0 L AA1 N ZH
mended M EH1 N D IH0 D
Meniere M EY0 N Y EH1 R
middlemarch M IH1 D AH0 L M AA2 R CH
mignon M IH0 N Y AA1 N
mth EH1 M TH
naive N AY0 IY1 V
naivete N AA0 IY2 V AH0 T EY1
nasi N AA1 S IY0
noche N OW1 CH EY0
nueva N W EY1 V AH0
okonomiyaki OW2 K AH0 N OW2 M IY0 Y AA1 K IY0
olanzapine OW0 L AE1 N Z AH0 P IY2 N
olé OW0 L EY1
omeprazole OW0 M EH1 P R AH0 Z OW2 L
paneer P AH0 N IH1 R
papier P EY1 P ER0
pâté P AA0 T EY1
pembrolizumab P EH2 M B R OW0 L IH1 Z Y AH0 M AE2 B
percocet P ER1 K AH0 S EH2 T
phenom F IY1 N AA2 M
Pho F AH1
pinata P IH0 N Y AA1 T AH0
piqué P IY0 K EY1
pozole P OW0 S OW1 L EY0
prednisolone P R EH0 D N IH1 S AH0 L OW2 N
premiered P R AH0 M IH1 R D
propofol P R OW1 P AH0 F AO2 L
protégé P R OW1 T AH0 ZH EY2
protégée P R OW1 T AH0 ZH EY2
psyop S AY1 AA2 P
quetiapine K W AH0 T AY1 AH0 P IY2 N
quinceanera K IY2 N S EY0 AH0 N Y EH1 R AH0
qur'an K AO0 R AA1 N
quran K AO0 R AA1 N
radicchio R AH0 D IY1 K IY0 OW0
raison R EY0 Z OW1 N
Raynaud R EY0 N OW1
regen R IY1 JH EH0 N
reit R IY1 T
risperidone R IH0 S P EH1 R AH0 D OW2 N
risque R IH0 S K EY1
rivaroxaban R IH2 V AH0 R AA1 K S AH0 B AE2 N
rosé R OW0 Z EY1
sang-froid S AO2 N F W AA1
semaglutide S EH2 M AH0 G L UW1 T AY2 D
senor S EY0 N Y AO1 R
senora S EY0 N Y AO1 R AH0
senorita S EY2 N Y AO0 R IY1 T AH0
sertraline S ER1 T R AH0 L IY2 N
soiree S W AA0 R EY1
spatzle SH P EH1 T S L AH0
spina S P AY1 N AH0
tanuki T AH0 N UW1 K IY0
tirzepatide T ER0 Z EH1 P AH0 T AY2 D
toefl T OW1 F AH0 L
toiled T OY1 L D
topiramate T OW0 P IH1 R AH0 M EY2 T
très T R EY1
tsundere T S UH0 N D EH1 R EY0
usta Y UW1 S T AH0
vaporwave V EY1 P ER0 W EY2 V
venlafaxine V EH2 N L AH0 F AE1 K S IY0 N
verandah V ER0 AE1 N D AH0
voila V W AA0 L AA1
waifu W AY1 F UW0
walkthrough W AO1 K TH R UW2
wormwood W ER1 M W UH2 D
wringer R IH1 NG ER0
xiaolongbao SH Y AW2 L AO0 NG B AW1
xor EH1 K S AO2 R
yandere Y AA1 N D EH0 R EY2
zolpidem Z OW1 L P IH0 D EH2 M
`;
