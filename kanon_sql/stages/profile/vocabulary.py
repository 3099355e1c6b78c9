"""Words in column names, by what they suggest about a column."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DIRECT = _words(
    """
    email mail phone telephone mobile fax ssn passport iban swift address addr street username login nickname ip mac url website
    cookie imei vin plate licence license insurance account card nin nhs mrn medicare soc fingerprint photo device signature
    """
)
# These decide only where no other word does: country_name is a place, drug_id a drug.
NAMING = _words(
    """
    name surname forename firstname lastname fullname givenname initials id uuid guid nr number no key rec record identifier
    seq sequence serial serialno pid patientid personid customerid clientid userid memberid employeeid studentid subjectid caseid
    recordid utilityid
    """
)
# Numbers of groups of people, which link the rows of their members.
GROUPS = _words("household hh h family fam dwelling house home cluster stratum psu")
GROUP_NUMBERS = _words("hid hhid hhno hhnr hhnum householdid familyid fid hseq")
NUMBERING = _words("id no nr num number key seq sequence serial code")

SURVEYS = _words("survey sample sampling instance person household hh final replicate design base expansion case record")
WEIGHTS = _words("weight weights weighting weightings")

SENSITIVE = _words(
    """
    diagnosis diagnoses disease illness condition icd symptom treatment therapy medication drug dose prescription procedure surgery
    hiv genome genetic allergy lab result finding income salary wage wages pay payment earnings gain gains gross loss losses dividend
    dividends capital tax taxes cost costs price charge charges amount balance debt loan credit rent spending expense revenue bonus
    benefit benefits score grade grades rating religion belief party vote political orientation crime offense offence conviction default
    employed target label outcome cancer smoker pregnancy agi fica deduction deductions exemption exemptions refund pension pensions
    annuity interest savings saving expend expenditure asset assets money debts sales profit turnover bill bills billed amt bal
    mortgage emcontrb ptotval pothval intval pearnval ernval wsalval taxinc pincp hincp fincp wagp povpip valp mrgp rntp grntp
    """
)
PROPERTY = _words("house home property market")  # with value, an amount
SENSITIVE_ENDINGS = ("revenue", "income", "salary", "wage", "wages", "earnings", "profit", "sales", "expenditure", "tax", "taxes", "debt")

# Words of quasi-identifiers, those that others are most likely to know first.
CORE = _words(
    """
    age birth birthday birthdate born dob yob sex gender race ethnicity zip zipcode postal postcode plz city suburb country
    nationality marital education occupation profession job
    """
)
CORE_CODES = _words("agep rac1p mar msp marstat schl edu educ hisp puma occp")  # whole names, as surveys of the US Census Bureau have them
QUASI = _words(
    """
    age birth birthday birthdate born dob yob sex gender race ethnic ethnicity hispanic origin ancestry nationality nativity nation
    citizen citizenship country state province region county district city town village suburb municipality place zip zipcode postal
    postcode plz area neighborhood residence metropolitan marital marriage married spouse relationship household householder family
    children dependents education schooling school degree study major occupation job profession industry employer worker work title
    rank department language veteran military disability height weight eye hair blood visit admission admitted discharge hired
    enrolled entry death died date year longitude latitude lon lat fips msa tract block urban rural urbrur density blind deaf civil
    hhcivil mars relp relat cit mil anc nat dis esp dear deye drem dphy dvet indp noc npf pobp cow wkhp hours
    """
)
# Where and how someone lives: visible to others, even where a word such as rent suggests an amount.
HOUSING = _words("own owner owned tenure tenant housing dwelling building roof walls water electricity electcon rooms room bedrooms")
PERIODS = _words("year month quarter week wave")  # alone, they date the survey rather than the person
EVENTS = _words("onset date datetime timestamp dt")
DAYS = _words("birth birthday birthdate born dob date day onset")
AGES = _words("age ages agep")
NOT_AGES = ("agen", "agg", "agr")  # agent, agency, aggregate, agreement
POSTAL_CODES = _words("zip zipcode postal postcode plz")
