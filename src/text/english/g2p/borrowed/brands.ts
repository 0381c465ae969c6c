/** Names of companies, products and software. */
export const BRANDS = `
airbnb EH1 R B IY2 EH2 N B IY1
aliexpress AE2 L IY0 IH0 K S P R EH1 S
Asics AE1 S IH0 K S
Asos EY1 S AA2 S
astrazeneca AE2 S T R AH0 Z EH1 N AH0 K AH0
Astros AE1 S T R OW0 Z
Asus EY1 S UW2 S
Atletico AH0 T L EH1 T IH0 K OW2
Auchentoshan AO2 K AH0 N T AO1 SH AH0 N
Audemars OW1 D AH0 M AA2 R
Audi AW1 D IY0
Aviva AH0 V IY1 V AH0
Baidu B AY1 D UW2
Bajaj B AH0 JH AA1 JH
Balenciaga B AH0 L EH2 N S IY0 AA1 G AH0
Balmain B AO2 L M AE1 N
Barça B AA1 R S AH0
Bengals B EH1 NG G AH0 L Z
bluray B L UW1 R EY2
Borussia B OW0 R AH1 SH AH0
Breitling B R AY1 T L IH0 NG
Bruichladdich B R UH2 K L AE1 D IY0
Bulgari B UH1 L G ER0 IY0
bundesliga B UH1 N D AH0 S L IY2 G AH0
Bunnahabhain B UW2 N AH0 HH AA1 V AH0 N
Bvlgari B UH1 L G ER0 IY0
Caltech K AE1 L T EH2 K
Caol K UH1 L
Cartier K AA1 R T IY0 EY2
Celtics S EH1 L T IH0 K S
Chandon SH AA0 N D AO1 N
Citroen S IH1 T R OW0 EH2 N
Clicquot K L IY0 K OW1
Courvoisier K AO2 R V W AA1 Z IY0 EY2
Coutts K UW1 T S
Danone D AH0 N OW1 N
devops D EH1 V AA2 P S
eslint IY2 EH0 S L IH1 N T
Espanyol EH2 S P AA0 N Y OW1 L
Estée EH1 S T EY2
ethereum IH0 TH IH1 R IY0 AH0 M
Evian EH1 V IY0 AA2 N
exxonmobil EH2 K S AH0 N M OW1 B AH0 L
Fabergé F AE2 B ER0 ZH EY1
Feyenoord F AY1 AH0 N AO2 R D
Galatasaray G AA2 L AH0 T AH0 S AH0 R AY1
Garnier G AA1 R N Y EY2
Givenchy ZH IY2 V AA0 N SH IY1
Glenfiddich G L EH2 N F IH1 D IH0 K
gofundme G OW2 F AH1 N D M IY0
Haaretz HH AA0 R EH1 T S
Hebdo EH1 B D OW0
Hermès EH2 R M EH1 Z
Hoegaarden HH UW1 G AA2 R D AH0 N
Huawei HH W AA1 W EY2
Hublot Y UW0 B L OW1
Humira HH Y UW0 M IH1 R AH0
Hyundai HH AH1 N D EY0
infosys IH1 N F OW0 S IH2 S
Juventus Y UW0 V EH1 N T AH0 S
kerberos K ER1 B ER0 AA0 S
Keytruda K IY0 T R UW1 D AH0
Lagavulin L AA2 G AH0 V UW1 L IH0 N
Lancome L AO2 N K OW1 M
Laphroaig L AH0 F R OY1 G
Leica L AY1 K AH0
Loewe L OW0 EH1 V EY0
Longines L AO1 N JH IY0 N
Louboutin L UW1 B UW0 T AE2 N
Lufthansa L UH1 F T HH AA2 N Z AH0
macos M AE2 K OW0 EH1 S
Maybach M AY1 B AA2 K
Mercedes M ER0 S EY1 D IY0 Z
Messier M EH1 S Y EY0
Miu M Y UW1
Moet M OW0 EH1 T
Moncler M AO0 N K L EH1 R
Mounjaro M AW0 N JH AA1 R OW0
Nestlé N EH1 S L EY0
Niantic N AY0 AE1 N T IH0 K
Novartis N OW0 V AA1 R T IH0 S
numpy N AH1 M P AY2
onnx AA1 N IH0 K S
Ozempic OW0 Z EH1 M P IH0 K
Panera P AH0 N EH1 R AH0
Patek P AH0 T EH1 K
Perignon P EH2 R IH0 N Y AO1 N
Piaggio P IY0 AA1 JH OW0
Piguet P IY0 G EY1
Pikachu P IY1 K AH0 CH UW2
Porsche P AO1 R SH AH0
postgresql P OW2 S T G R EH2 S K Y UW2 EH1 L
Qantas K W AA1 N T AH0 S
qnap K Y UW1 N AE2 P
Qwen K W EH1 N
Rakuten R AA1 K UW0 T EH2 N
Renault R AH0 N OW1
roblox R OW1 B L AA2 K S
Roche R OW1 SH
Rocher R OW0 SH EY1
saml S AE1 M AH0 L
Schalke SH AA1 L K AH0
sqlite EH2 S K Y UW0 EH0 L AY1 T
Steaua S T EY1 AW0 AH0
systemd S IH1 S T AH0 M D IY2
tautulli T AO0 T UW1 L IY0
Tissot T IY0 S OW1
toblerone T OW1 B L ER0 OW2 N
truenas T R UW1 N AE2 S
typescript T AY1 P S K R IH2 P T
uber UW1 B ER0
Uniqlo Y UW1 N IH0 K L OW2
Vercel V ER0 S EH1 L
Vespa V EH1 S P AH0
Veuve V UH1 V
Vimeo V IH1 M IY0 OW2
Vite V IY1 T
Volkswagen V OW1 L K S W AE2 G AH0 N
Vuitton V W IY0 T AA1 N
Wegovy W IH0 G OW1 V IY0
whatsapp W AH1 T S AE2 P
Xiaomi SH AW1 M IY0
zapier Z AE1 P IY0 ER0
Zara Z AA1 R AH0
Zegna Z EH1 N Y AH0
`;
